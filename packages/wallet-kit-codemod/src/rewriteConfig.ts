import type { CallExpression, Node } from '@babel/types'
import {
  discovery,
  findStatement,
  type NewKit,
  noteLeftOut,
  noteShown,
  planKit,
  writeConnector,
  writeDefaultWallets,
  writeKit,
  writeObject,
  writeTransports,
} from './kitParts.ts'
import { entryOf, kitOptions, rainbowKit, unsupported } from './names.ts'
import { rewriteConnectors } from './rewriteConnectors.ts'
import type { SourceFile } from './SourceFile.ts'
import { findValue, propertiesOf, readAlone } from './syntax.ts'

/**
 * Rewrites the call that creates the wagmi configuration, `getDefaultConfig` or that of its connectors, into a kit
 * and wagmi's own `createConfig`. Returns the name of the kit, or `undefined` if the file has no such call.
 *
 * @param isTaken - Whether another file imports the kit.
 */
export function rewriteConfig(file: SourceFile, isTaken: boolean): string | undefined {
  renameDefaultWallets(file)
  const kit = planKit(file, isTaken)
  const [ready] = file.calls(file.localOf(rainbowKit, 'getDefaultConfig'))
  if (ready) return rewriteDefaultConfig(file, kit, ready.call, ready.parents)
  const [list] = [
    ...file.calls(file.localOf(rainbowKit, 'connectorsForWallets')),
    ...file.calls(file.localOf(rainbowKit, 'getDefaultWallets')).filter((it) => readsAlone(it.parents, 'connectors')),
  ]
  return list && rewriteConnectors(file, kit, list.call, list.parents)
}

function rewriteDefaultConfig(
  file: SourceFile,
  kit: NewKit,
  call: CallExpression,
  parents: readonly Node[],
): string | undefined {
  const options = call.arguments[0]
  const statement = findStatement(parents)
  if (options?.type !== 'ObjectExpression' || !statement) {
    file.note(
      call,
      'Write `createWalletKit` and wagmi’s `createConfig` by hand. A call is rewritten if its options are an object, and if it is the value of a `const` outside of functions or all that a function without parameters returns.',
    )
    return undefined
  }
  const entries = propertiesOf(options)
  noteLeftOut(file, options)
  noteShown(file, options)
  for (const spread of options.properties)
    if (spread.type !== 'ObjectProperty')
      file.note(spread, 'These options went to wagmi. Move those of the kit to `createWalletKit`.')

  const reads = entries.filter((it) => kitOptions.includes(it.name))
  const ofKit = reads.map((it) => file.edited(it))
  const isOfWagmi = (it: Node) =>
    !entries.some(
      (entry) => entry.start === it.start && (kitOptions.includes(entry.name) || entryOf(unsupported, entry.name)),
    )
  const ofWagmi = options.properties.filter(isOfWagmi).map((it) => file.edited(it))
  if (!findValue(options, 'transports')) ofKit.push(`transports: ${writeTransports(file, options)}`)
  if (!findValue(options, 'wallets')) ofKit.push(`wallets: ${writeDefaultWallets(file, call)}`)
  const ofBoth = [...writeShared(file, kit.name), ...ofWagmi.filter((it) => !it.startsWith(discovery))]
  const createConfig = file.wantLocal('wagmi', 'createConfig')
  file.replace(call, `${createConfig}(${writeObject(ofBoth, file.indentOf(call))})`)
  writeKit(file, kit, statement, { options: ofKit, reads, gap: '' })
  return kit.name
}

/** Writes the options that wagmi shares with the kit. */
const writeShared = (file: SourceFile, kit: string) => [
  `chains: ${kit}.config.chains`,
  `transports: ${kit}.config.transports`,
  `connectors: [${writeConnector(file, kit)}]`,
  `${discovery}: false`,
]

/** Replaces `const { wallets } = getDefaultWallets()` with `const wallets = defaultWallets()`. */
function renameDefaultWallets(file: SourceFile): void {
  for (const { call, parents } of file.calls(file.localOf(rainbowKit, 'getDefaultWallets'))) {
    if (readsAlone(parents, 'connectors')) continue
    const declarator = parents.at(-1)
    const name = readsAlone(parents, 'wallets')
    if (!declarator || name === undefined) {
      file.note(
        call,
        'Write `defaultWallets()`, which returns the groups of wallets themselves. For connectors write `createWalletKit` with these wallets, and `kitConnector(kit)`.',
      )
      continue
    }
    file.replace(declarator, `${name} = ${writeDefaultWallets(file, call)}`)
  }
}

/** Returns the name under which a declaration reads this field alone. */
function readsAlone(parents: readonly Node[], field: string): string | undefined {
  const declarator = parents.at(-1)
  return declarator?.type === 'VariableDeclarator' ? readAlone(declarator.id, field) : undefined
}
