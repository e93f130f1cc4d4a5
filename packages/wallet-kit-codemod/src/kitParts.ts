import type { Node, ObjectExpression } from '@babel/types'
import { findChains } from './findChains.ts'
import { entryOf, leftOut, rainbowKit, walletKit } from './names.ts'
import { findValue, propertiesOf } from './objects.ts'
import type { SourceFile } from './SourceFile.ts'

export const discovery = 'multiInjectedProviderDiscovery'

/** Returns `kit`, or another name if the file already uses it. */
export const nameKit = (file: SourceFile) => (/\bkit\b/.test(file.text) ? 'walletKit' : 'kit')

/** Returns `export` if the provider, which needs the kit, is in another file. */
export const exportOf = (file: SourceFile) =>
  file.localOf(rainbowKit, 'RainbowKitProvider') === undefined ? 'export ' : ''

/** A statement `const x: X = …`: `name` is `x`, `target` is `x: X`. */
export type Declaration = { statement: Node; prefix: string; name: string; target: string }

/** Returns the statement `const x = …` around a call, if it is outside of functions. */
export function findDeclaration(file: SourceFile, parents: readonly Node[]): Declaration | undefined {
  const [outer, statement, declarator] = parents.slice(-3)
  if (statement?.type !== 'VariableDeclaration' || declarator?.type !== 'VariableDeclarator') return undefined
  if (statement.declarations.length !== 1 || declarator.id.type !== 'Identifier') return undefined
  const isExported = outer?.type === 'ExportNamedDeclaration'
  if (!isExported && outer?.type !== 'Program') return undefined
  const { id } = declarator
  const prefix = isExported ? 'export ' : ''
  return { statement: isExported ? outer : statement, prefix, name: id.name, target: file.textOf(id) }
}

/** Returns the semicolon of a statement, if it has one. */
export const endOf = (file: SourceFile, { statement }: Declaration) => (file.textOf(statement).endsWith(';') ? ';' : '')

export function wantKit(file: SourceFile): void {
  file.want(`${walletKit}/core`, 'createWalletKit')
  file.want(`${walletKit}/wagmi`, 'kitConnector')
}

export const writeObject = (properties: readonly string[]) => `{\n${properties.map((text) => `  ${text},\n`).join('')}}`

/** Writes the transports. Without any, RainbowKit reads each chain from its public node, like `http()`. */
export function writeTransports(file: SourceFile, options: ObjectExpression): string {
  const chains = findValue(options, 'chains')
  const names = findChains(file, chains)
  if (!names) {
    file.note(chains ?? options, 'Write `transports` by hand, one for each chain, such as `{ [mainnet.id]: http() }`.')
    return '{}'
  }
  file.want('wagmi', 'http')
  return `{ ${names.map((name) => `[${name}.id]: http()`).join(', ')} }`
}

export function noteLeftOut(file: SourceFile, options: ObjectExpression): void {
  for (const { name, value } of propertiesOf(options)) {
    const text = entryOf(leftOut, name)
    if (text !== undefined) file.note(value, text)
  }
}

/** Adds a note on names: RainbowKit reads those of ENS if the app has `mainnet`. */
export function noteNames(file: SourceFile): void {
  const [mainnet] = ['wagmi/chains', 'viem/chains', `${rainbowKit}/chains`]
    .flatMap((source) => file.specifiersOf(source))
    .filter(({ imported }) => imported === 'mainnet')
  if (mainnet)
    file.note(
      mainnet.specifier,
      'RainbowKit shows names and pictures of ENS. To keep them, give `names` to `createWalletKit`: see “Names” in the kit’s README.',
    )
}
