import type { CallExpression, Node } from '@babel/types'
import {
  type Declaration,
  discovery,
  endOf,
  exportOf,
  findDeclaration,
  nameKit,
  noteLeftOut,
  noteNames,
  wantKit,
  writeObject,
  writeTransports,
} from './kitParts.ts'
import { entryOf, kitOptions, leftOut, rainbowKit, walletKit } from './names.ts'
import { findValue, propertiesOf } from './objects.ts'
import { rewriteConnectors } from './rewriteConnectors.ts'
import type { SourceFile } from './SourceFile.ts'

/**
 * Rewrites the call that creates the wagmi configuration, `getDefaultConfig` or `connectorsForWallets`, into a kit
 * and wagmi's own `createConfig`. Returns the name of the kit, or `undefined` if the file has no such call.
 */
export function rewriteConfig(file: SourceFile): string | undefined {
  renameDefaultWallets(file)
  const [ready] = file.calls(file.localOf(rainbowKit, 'getDefaultConfig'))
  if (ready) return rewriteDefaultConfig(file, ready.call, ready.parents)
  const [list] = file.calls(file.localOf(rainbowKit, 'connectorsForWallets'))
  return list && rewriteConnectors(file, list.call, list.parents)
}

function rewriteDefaultConfig(file: SourceFile, call: CallExpression, parents: readonly Node[]): string | undefined {
  const options = call.arguments[0]
  const declaration = findDeclaration(file, parents)
  if (options?.type !== 'ObjectExpression' || !declaration) {
    file.note(
      call,
      'Write `createWalletKit` and wagmi’s `createConfig` by hand: the options are not an object in a `const` outside of functions.',
    )
    return undefined
  }
  const name = nameKit(file)
  const entries = propertiesOf(options)
  noteLeftOut(file, options)
  for (const spread of options.properties)
    if (spread.type !== 'ObjectProperty')
      file.note(spread, 'Decide which of these options are the kit’s and which wagmi’s; they went to wagmi’s.')

  const ofKit = entries.filter((it) => kitOptions.includes(it.name)).map((it) => file.edited(it))
  const isOfWagmi = (it: Node) =>
    !entries.some(
      (entry) => entry.start === it.start && (kitOptions.includes(entry.name) || entryOf(leftOut, entry.name)),
    )
  const ofWagmi = options.properties.filter(isOfWagmi).map((it) => file.edited(it))
  if (!findValue(options, 'transports')) ofKit.push(`transports: ${writeTransports(file, options)}`)
  if (!findValue(options, 'wallets')) {
    ofKit.push('wallets: defaultWallets()')
    file.want(`${walletKit}/wallets`, 'defaultWallets')
  }
  write(file, { declaration, call, name, ofKit, ofWagmi })
  noteNames(file)
  return name
}

function write(
  file: SourceFile,
  it: { declaration: Declaration; call: CallExpression; name: string; ofKit: string[]; ofWagmi: string[] },
): void {
  const { prefix, target, statement } = it.declaration
  const ofWagmi = [
    `chains: ${it.name}.config.chains`,
    `transports: ${it.name}.config.transports`,
    `connectors: [kitConnector(${it.name})]`,
    `${discovery}: false`,
    ...it.ofWagmi.filter((text) => !text.startsWith(discovery)),
  ]
  const end = endOf(file, it.declaration)
  file.replace(
    statement,
    `${exportOf(file)}const ${it.name} = createWalletKit(${writeObject(it.ofKit)})${end}\n${prefix}const ${target} = createConfig(${writeObject(ofWagmi)})${end}`,
  )
  wantKit(file)
  file.want('wagmi', 'createConfig')
}

/** Replaces `const { wallets } = getDefaultWallets()` with `const wallets = defaultWallets()`. */
function renameDefaultWallets(file: SourceFile): void {
  for (const { call, parents } of file.calls(file.localOf(rainbowKit, 'getDefaultWallets'))) {
    const declarator = parents.at(-1)
    const name = declarator?.type === 'VariableDeclarator' && readWallets(declarator.id)
    if (!name) {
      file.note(
        call,
        'Write `defaultWallets()`, which returns the groups of wallets themselves. For connectors write `createWalletKit` with these wallets, and `kitConnector(kit)`.',
      )
      continue
    }
    file.replace(declarator, `${name} = defaultWallets()`)
    file.want(`${walletKit}/wallets`, 'defaultWallets')
  }
}

/** Returns the local name of `wallets` in a pattern that reads nothing else. */
function readWallets(pattern: Node): string | undefined {
  if (pattern.type !== 'ObjectPattern' || pattern.properties.length !== 1) return undefined
  const [property] = pattern.properties
  if (property?.type !== 'ObjectProperty' || property.value.type !== 'Identifier') return undefined
  return property.key.type === 'Identifier' && property.key.name === 'wallets' ? property.value.name : undefined
}
