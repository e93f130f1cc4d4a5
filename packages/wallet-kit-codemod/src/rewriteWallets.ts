import type { ArrayExpression, Node } from '@babel/types'
import { ownSdk } from './kitParts.ts'
import { entryOf, rainbowKitWallets, walletKit, wallets } from './names.ts'
import type { SourceFile } from './SourceFile.ts'
import { findValue, isEmptied, removeElements } from './syntax.ts'

/** A list with elements to remove, and the nodes around it. */
type Shortened = { removed: Set<Node>; parents: readonly Node[] }
type Lists = Map<ArrayExpression, Shortened>

/** Replaces RainbowKit's wallets with the kit's definitions, and removes wallets without a definition. */
export function rewriteWallets(file: SourceFile): void {
  const lists: Lists = new Map()
  for (const { specifier, imported, local } of file.specifiersOf(rainbowKitWallets)) {
    const name = entryOf(wallets, imported)
    if (name === undefined) file.note(specifier, explain(imported))
    if (name === 'coinbase') file.note(specifier, `\`coinbase\` is reached by its extension alone. ${ownSdk}`)
    if (name === 'baseAccount') file.note(specifier, `\`baseAccount\` is reached by its SDK alone. ${ownSdk}`)
    // Keeps RainbowKit's name where the file has another use for the kit's.
    const newLocal = name !== undefined && file.uses(name) ? local : name
    if (name !== undefined) file.want(`${walletKit}/wallets`, newLocal === name ? name : `${name} as ${newLocal}`)
    for (const { node, parents } of file.references(local)) {
      const parent = parents.at(-1)
      if (newLocal !== undefined) replaceWallet(file, node, parent, newLocal)
      else if (parent?.type === 'ArrayExpression') addRemoved(lists, parent, node, parents.slice(0, -1))
      else file.note(node, explain(imported))
    }
  }
  noteOwnWallets(file)
  removeGroups(file, lists)
}

/** Adds notes on elements of a group that are no wallets of RainbowKit: its functions are objects here. */
function noteOwnWallets(file: SourceFile): void {
  const known = new Set(file.specifiersOf(rainbowKitWallets).map(({ local }) => local))
  for (const { node } of file.nodes()) {
    const list = node.type === 'ObjectExpression' && findValue(node, 'groupName') && findValue(node, 'wallets')
    for (const wallet of list && list.type === 'ArrayExpression' ? list.elements : [])
      if (wallet && wallet.type !== 'SpreadElement' && !(wallet.type === 'Identifier' && known.has(wallet.name)))
        file.note(wallet, ownWallet)
  }
}

const ownWallet =
  'Make this wallet a `WalletDefinition`, an object instead of a function. The guide to migration maps its fields.'

const explain = (imported: string) =>
  imported === 'injectedWallet'
    ? '`injectedWallet` is left out: wallets that announce themselves are listed without it.'
    : `\`${imported}\` is left out: it is listed when it announces itself. For its other ways write a definition.`

function replaceWallet(file: SourceFile, node: Node, parent: Node | undefined, name: string): void {
  file.replace(node, name)
  if (parent?.type === 'CallExpression' && parent.callee === node)
    file.note(
      node,
      `Do not call \`${name}\`: it is a definition, an object. For its options see “Wallets” in the kit’s README.`,
    )
  if (parent?.type === 'MemberExpression' && parent.object === node)
    file.note(
      node,
      `Remove this: \`${name}\` is the kit’s definition, which has other fields. To change it, copy it: \`{ ...${name}, … }\`.`,
    )
}

function addRemoved(lists: Lists, list: ArrayExpression, node: Node, parents: readonly Node[]): void {
  const entry = lists.get(list) ?? { removed: new Set(), parents }
  entry.removed.add(node)
  lists.set(list, entry)
}

/** Removes wallets from their lists, and groups without a wallet: the kit refuses an empty group. */
function removeGroups(file: SourceFile, lists: Lists): void {
  const groups: Lists = new Map()
  for (const [list, { removed, parents }] of lists) {
    removeElements(file, list, removed)
    if (!isEmptied(list, removed)) continue
    const [around, group] = parents.slice(-3)
    if (group?.type !== 'ObjectExpression' || around?.type !== 'ArrayExpression')
      file.note(list, 'No wallet is left in this list. Remove its group: a group without a wallet is an error.')
    else addRemoved(groups, around, group, [])
  }
  for (const [list, { removed }] of groups) {
    if (isEmptied(list, removed)) {
      file.replace(list, `${file.quote}announced${file.quote}`)
      file.note(list, 'No wallet is left: `announced` lists the wallets that announce themselves.')
      continue
    }
    removeElements(file, list, removed)
    for (const group of removed) file.note(group, 'This group is left out: no wallet is left in it.')
  }
}
