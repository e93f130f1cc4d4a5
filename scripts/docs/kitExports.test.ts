import { beforeAll, describe, expect, test } from 'vitest'
import { compileBlocks } from './compileBlocks.ts'
import { type KitExport, readKitExports } from './kitExports.ts'

let all: KitExport[]
beforeAll(() => {
  all = readKitExports()
})

/** Returns the names of the exports that match, each with its entry. */
const namesOf = (test: (it: KitExport) => boolean) => all.filter(test).map(({ entry, name }) => `${entry}: ${name}`)

describe('the reference of the kit', () => {
  test('behavior: every export is described', () => {
    expect(all.length).toBeGreaterThan(100)
    expect(namesOf(({ words }) => words.length < 10)).toEqual([])
  })

  test('behavior: every value has an example', () =>
    expect(namesOf(({ isType, examples }) => !isType && examples.length === 0)).toEqual([]))

  test('behavior: every parameter of a function is described', () =>
    expect(namesOf(({ parametersWithoutWords }) => parametersWithoutWords > 0)).toEqual([]))

  test('behavior: every example compiles under strict and exactOptionalPropertyTypes', () => {
    const texts = new Map(
      all.map(({ entry, name, examples }) => [
        `packages/wallet-kit/${entry}-${name}.md`,
        examples.map((example) => toBlock(example)).join('\n'),
      ]),
    )
    const errors = [...compileBlocks(texts)].filter(([, found]) => found.length > 0)
    expect(Object.fromEntries(errors)).toEqual({})
  })

  test('behavior: an option may be undefined, and every mutation takes options of its own', () => {
    const text = toBlock(`export function Example({ chainId, number, enabled, text, loadCoinbase }: {
  chainId: number | undefined
  number: number | undefined
  enabled: boolean | undefined
  text: string | undefined
  loadCoinbase: DefaultWalletsOptions['loadCoinbase']
}) {
  defaultWallets({ loadCoinbase })
  const query = { enabled, staleTime: number, gcTime: number, refetchInterval: number, retry: enabled }
  useBalanceOf({ address: token, chainId, query })
  useReadContract({ address: token, abi: erc20Abi, functionName: 'decimals', chainId, query })
  useTransactionReceipt({ hash, chainId, confirmations: undefined, query })
  useCapabilities({ chainId, query })
  const onSuccess = () => show('sent')
  const { mutateAsync: write } = useWriteContract()
  const { mutateAsync: sign } = useSignTypedData()
  const { mutateAsync: call } = useSendCalls()
  const { mutateAsync: transfer } = useSendTransaction()
  const typed = { types: { Vote: [{ name: 'for', type: 'bool' }] }, primaryType: 'Vote', message: { for: true } } as const
  const send = () => [
    write({ address: token, abi: erc20Abi, functionName: 'transfer', args: [friend, 1n], chainId, description: text }, { onSuccess }),
    sign(typed, { onSuccess }),
    call({ calls: [{ to: shop }], description: text, atomic: undefined, fallback: undefined }, { onSuccess }),
    transfer({ to: shop, value: undefined, description: text }, { onSuccess }),
    kit.connect({ walletId: 'safe', signal: undefined, onUri: undefined }),
    kit.addTransaction({ hash, description: '', confirmations: undefined }),
  ]
  createWalletKitTheme({ accent: text, radius: undefined, colorScheme: text })
  return <><ConnectButton label={text} showBalance={undefined} /><button type="button" onClick={send}>Send</button></>
}`)
    expect(
      compileBlocks(new Map([['packages/wallet-kit/options.md', text]])).get('packages/wallet-kit/options.md'),
    ).toEqual([])
  })
})

/**
 * Creates a block from an example: inside a function, so that it may `return`, with the names it uses without
 * declaring them.
 */
function toBlock(example: string): string {
  const text = example.replace(/^```.*$/gm, '').trim()
  // Only one of Coinbase's two SDKs, which load in the same way, is installed here.
  const code = text.replaceAll("import('@base-org/account')", "import('@coinbase/wallet-sdk')")
  const isModule = /^(import|export|declare module)\b/m.test(code)
  const body = isModule ? code : `export async function example() {\n${code}\n}`
  const used = new Set(code.match(/[A-Za-z_$][\w$]*/g))
  const declared = new Set([...code.matchAll(/(?:const|function|class|let) (\w+)/g)].map(([, name]) => name ?? ''))
  const exported = new Map(all.map(({ entry, name }) => [name, entry]))
  const imports = [...exported].filter(([name]) => used.has(name) && !declared.has(name))
  const preamble = [
    ...imports.map(
      ([name, entry]) => `import { ${name} } from '@lineage/wallet-kit${entry === 'index' ? '' : `/${entry}`}'`,
    ),
    ...Object.entries(given).flatMap(([name, text]) => (used.has(name) && !declared.has(name) ? [text] : [])),
  ]
  return `<!-- ts: ${preamble.join('\n')} -->\n\`\`\`tsx\n${body}\n\`\`\`\n`
}

const kit = '@lineage/wallet-kit'

/** Names that examples may use without declaring them. */
const given: Record<string, string> = {
  kit: `declare const kit: import('${kit}/core').WalletKit`,
  config: `declare const config: import('${kit}/core').WalletKitConfig`,
  options: `declare const options: import('${kit}/siwe-server').SiweServerOptions`,
  definition: `declare const definition: import('${kit}/core').WalletDefinition`,
  acme: `declare const acme: import('${kit}/core').WalletDefinition`,
  state: `declare const state: import('${kit}/core').WalletKitState`,
  request: 'declare const request: Request',
  hash: "declare const hash: import('viem').Hash",
  token: "declare const token: import('viem').Address",
  usdt: "declare const usdt: import('viem').Address",
  shop: "declare const shop: import('viem').Address",
  friend: "declare const friend: import('viem').Address",
  order: "declare const order: import('viem').Hex",
  show: 'declare function show(text: string): void',
  send: 'declare function send(value: unknown): void',
  http: "import { http } from 'viem'",
  bsc: "import { bsc } from 'viem/chains'",
  erc20Abi: "import { erc20Abi } from 'viem'",
  parseEther: "import { parseEther } from 'viem'",
  createConfig: "import { createConfig } from 'wagmi'",
  Address: "import type { Address } from 'viem'",
  createSiweMessage: "import { createSiweMessage } from 'viem/siwe'",
}
