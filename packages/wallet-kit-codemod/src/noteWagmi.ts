import { entryOf } from './names.ts'
import type { SourceFile } from './SourceFile.ts'
import { findReads, findValue, isMember } from './syntax.ts'

const sources = ['wagmi', 'wagmi/actions', '@wagmi/core']

const list =
  'wagmi’s list of connectors now has one entry, the kit, whose `connect` opens the dialog. A button for one wallet is in the guide to migration.'
const connector =
  '`connector` is now the kit, whichever wallet is connected. The wallet is `useConnection().wallet` of `@lineage/wallet-kit`.'

/** Fields that mean something else with the kit’s connector, by the function of wagmi that returns them. */
const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getAccount: { connector },
  getConnection: { connector },
  useAccount: { connector },
  useConfig: { connectors: list },
  useConnect: { connectors: list },
  useConnection: { connector },
}

/** Functions of wagmi that return the list of connectors. */
const lists = ['getConnectors', 'useConnectors']

/** Hooks of wagmi 2 that wagmi 3 does not have, and their replacements. */
export const removedHooks: Readonly<Record<string, string>> = {
  useContractInfiniteReads: 'useInfiniteReadContracts',
  useContractRead: 'useReadContract',
  useContractReads: 'useReadContracts',
  useContractWrite: 'useWriteContract',
  useFeeData: 'useEstimateFeesPerGas',
  useToken: 'useReadContracts',
}

/** Adds notes on uses of wagmi that get other values from the kit’s connector or from wagmi 3. */
export function noteWagmi(file: SourceFile): void {
  for (const { specifier, imported, local } of sources.flatMap((source) => file.specifiersOf(source))) {
    const instead = entryOf(removedHooks, imported)
    if (instead) file.note(specifier, `wagmi 3 has no \`${imported}\`. Use \`${instead}\`.`)
    for (const call of file.calls(local)) {
      if (lists.includes(imported)) file.note(call.call, list)
      for (const [field, text] of Object.entries(entryOf(fields, imported) ?? {}))
        for (const read of findReads(file, field, call)) file.note(read, text)
    }
    if (imported === 'useBalance') noteBalances(file, local)
  }
  for (const node of file.imports)
    if (/^(wagmi|@wagmi)\/connectors$/.test(node.source.value))
      file.note(
        node,
        'A connection made with these is wagmi’s alone: the kit does not see it. wagmi 3 brings no SDKs: install those that they need.',
      )
}

/** wagmi 3 reads the chain’s own coin alone, and returns no text. */
function noteBalances(file: SourceFile, useBalance: string): void {
  for (const { call } of file.calls(useBalance)) {
    const [options] = call.arguments
    const token = options?.type === 'ObjectExpression' ? findValue(options, 'token') : undefined
    if (token)
      file.note(
        token,
        'wagmi 3 ignores `token` and returns the balance of the chain’s own coin. Use `useBalanceOf` of `@lineage/wallet-kit/hooks`, or `useReadContract`.',
      )
  }
  for (const { node } of file.nodes())
    if (isMember(node) && node.property.type === 'Identifier' && node.property.name === 'formatted')
      file.note(
        node,
        'wagmi 3 returns no `formatted`. Write `formatUnits(value, decimals)`, with `formatUnits` of viem.',
      )
}
