import type { Node, ObjectExpression } from '@babel/types'
import { entryOf, rainbowKit, unsupported, walletKit } from './names.ts'
import type { SourceFile } from './SourceFile.ts'
import { findChains, findLastRead, findValue, propertiesOf, readAlone } from './syntax.ts'

export const discovery = 'multiInjectedProviderDiscovery'

/** The kit that a file will create. */
export type NewKit = { name: string; isExported: boolean }

/**
 * Chooses the name of the kit of a file: `kit`, or another one if the file already uses it. The kit is exported unless
 * the provider stands in this file alone.
 *
 * @param isTaken - Whether another file imports the kit.
 */
export const planKit = (file: SourceFile, isTaken: boolean): NewKit => ({
  name: file.unusedName('kit', 'walletKit'),
  isExported: isTaken || file.localOf(rainbowKit, 'RainbowKitProvider') === undefined,
})

/** Writes the connector of a kit for wagmi. */
export const writeConnector = (file: SourceFile, kit: string) =>
  `${file.wantLocal(`${walletKit}/wagmi`, 'kitConnector')}(${kit})`

/** A statement of the file; `name` is `x` in `const x = …` and `const { connectors: x } = …`. */
export type Statement = { node: Node; isExported: boolean; isFunction: boolean; name: string | undefined }

/**
 * Returns the statement around a call that is the value of a `const`, or all that a function without parameters
 * returns, as in `const getConfig = () => createConfig(…)`. Returns `undefined` for a call in another place.
 */
export function findStatement(parents: readonly Node[]): Statement | undefined {
  const path = parents.map(({ type }) => type).join(' ')
  const node = parents[1]
  if (!node || !wholeStatement.test(path) || !parents.every(isAlone)) return undefined
  const declarator = parents.at(-1)
  const target = declarator?.type === 'VariableDeclarator' ? declarator.id : undefined
  const name = target?.type === 'Identifier' ? target.name : target && readAlone(target, 'connectors')
  return { node, isExported: node.type === 'ExportNamedDeclaration', isFunction: path.includes('Function'), name }
}

const wholeStatement =
  /^Program (ExportNamedDeclaration )?(FunctionDeclaration|VariableDeclaration VariableDeclarator( ArrowFunctionExpression)?)( BlockStatement ReturnStatement)?( TS(As|Satisfies)Expression)?$/

/** Returns whether a statement declares one thing, and a function has no parameters and no other statements. */
function isAlone(node: Node): boolean {
  switch (node.type) {
    case 'VariableDeclaration':
      return node.declarations.length === 1
    case 'FunctionDeclaration':
    case 'ArrowFunctionExpression':
      return node.params.length === 0 && !node.async
    case 'BlockStatement':
      return node.body.length === 1
    default:
      return true
  }
}

/**
 * Writes the kit before a statement that needs it, or below the statement after what the kit reads there: a function
 * may stand above what it reads.
 *
 * @param reads - The nodes that the options are written from.
 */
export function writeKit(
  file: SourceFile,
  { name, isExported }: NewKit,
  { node, isFunction }: Statement,
  { options, reads, gap }: { options: readonly string[]; reads: readonly Node[]; gap: string },
): void {
  const createWalletKit = file.wantLocal(`${walletKit}/core`, 'createWalletKit')
  const text = `${isExported ? 'export ' : ''}const ${name} = ${createWalletKit}(${writeObject(options)})${file.semicolon}`
  const last = isFunction ? findLastRead(file, reads) : undefined
  if (last && (last.start ?? 0) > (node.start ?? 0)) file.insertAfter(last, `${gap}\n${text}`)
  else file.insertBefore(node, `${text}\n${gap}`)
}

export const writeObject = (properties: readonly string[], indent = '') =>
  `{\n${properties.map((text) => `${indent}  ${text},\n`).join('')}${indent}}`

/** Writes the transports. Without any, RainbowKit reads each chain from its public node, like `http()`. */
export function writeTransports(file: SourceFile, options: ObjectExpression): string {
  const chains = findValue(options, 'chains')
  const names = findChains(file, chains)
  if (!names) {
    file.note(chains ?? options, 'Write `transports` by hand, one for each chain, such as `{ [mainnet.id]: http() }`.')
    return '{}'
  }
  // wagmi's `http` is the one of viem.
  const http = file.localOf('wagmi', 'http') ?? file.localOf('viem', 'http') ?? file.wantLocal('wagmi', 'http')
  return `{ ${names.map((name) => `[${name}.id]: ${http}()`).join(', ')} }`
}

export function noteLeftOut(file: SourceFile, options: ObjectExpression): void {
  for (const { name, value } of propertiesOf(options)) {
    const text = entryOf(unsupported, name)
    if (text !== undefined) file.note(value, text)
  }
}

/** Writes the kit's default wallets, with a note on the one of RainbowKit's that they reach in fewer ways. */
export function writeDefaultWallets(file: SourceFile, place: Node): string {
  file.note(place, `RainbowKit’s default wallets have Base Account, or Coinbase Wallet with its SDK. ${ownSdk}`)
  return `${file.wantLocal(`${walletKit}/wallets`, 'defaultWallets')}()`
}

/** Advice on wallets that need a package of their own. */
export const ownSdk =
  'Here you install and load such an SDK yourself: see “Safe, Coinbase Wallet and Base Account” in the kit’s README.'

/** Adds notes on what RainbowKit shows of chains and accounts, and the kit only if it is given. */
export function noteShown(file: SourceFile, options: ObjectExpression): void {
  const chains = findValue(options, 'chains') ?? options
  const names = findChains(file, chains)
  const imports = chainSources.flatMap((source) => file.specifiersOf(source))
  const known = names?.map(
    (name) => imports.find(({ local }) => local === name)?.imported ?? name.slice(name.lastIndexOf('.') + 1),
  )
  if (!known?.every((it) => it !== 'mainnet'))
    file.note(
      chains,
      `RainbowKit shows names and pictures of ENS${known ? '' : ', if `mainnet` is among these chains'}. To keep them, give \`names\` to \`createWalletKit\`: see “Names” in the kit’s README.`,
    )
  if (!known?.every((it) => it === 'bsc') && !file.textOf(chains).includes('iconUrl'))
    file.note(
      chains,
      'The kit brings an icon for BNB Smart Chain, and shows the first letter of other chains. Give icons of your own as `{ ...chain, iconUrl }`.',
    )
}

const chainSources = ['wagmi/chains', 'viem/chains', `${rainbowKit}/chains`]
