import type { CallExpression, MemberExpression, Node, OptionalMemberExpression } from '@babel/types'
import { dialogHooks, entryOf, rainbowKit, walletKit } from './names.ts'
import type { SourceFile } from './SourceFile.ts'
import { findInScope, findValue, isMember, type Place } from './syntax.ts'

/** Renames the fields that the hooks of dialogs return: `{ openConnectModal }` becomes `{ open: openConnectModal }`. */
export function rewriteHooks(file: SourceFile): void {
  for (const [hook, { fields, status }] of Object.entries(dialogHooks))
    for (const { call, parents } of file.calls(file.localOf(rainbowKit, hook))) {
      rewriteResult(file, fields, call, parents)
      for (const use of findOpenerUses(file, fields, parents))
        if (isCondition(use.node, use.parents)) file.note(use.node, adviseCondition(status))
    }
  noteHashes(file)
}

const adviseCondition = (status: string) =>
  `Change this condition to \`useConnection().status === '${status}'\`, with \`useConnection\` of \`${walletKit}\`. RainbowKit’s function is \`undefined\` while its dialog cannot open, the kit’s is always a function.`

type Fields = Readonly<Record<string, string>>

function rewriteResult(file: SourceFile, fields: Fields, call: CallExpression, parents: readonly Node[]): void {
  const parent = parents.at(-1)
  if (rewriteMember(file, fields, call, parent)) return
  const declared = parent?.type === 'VariableDeclarator' ? parent.id : undefined
  if (declared?.type === 'Identifier') {
    for (const it of findInScope(file, declared.name, parents))
      if (it.node !== declared && !rewriteMember(file, fields, it.node, it.parents.at(-1)))
        noteFields(file, fields, it.node)
  } else if (declared?.type === 'ObjectPattern') {
    for (const property of declared.properties) {
      if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') {
        noteFields(file, fields, property)
        continue
      }
      const name = entryOf(fields, property.key.name)
      const value = file.textOf(property.value)
      if (name !== undefined) file.replace(property, name === value ? name : `${name}: ${value}`)
    }
  } else noteFields(file, fields, call)
}

/** Renames the field in `value.openConnectModal`. Returns whether the parent reads a field of the value. */
function rewriteMember(file: SourceFile, fields: Fields, value: Node, parent: Node | undefined): boolean {
  if (!isMember(parent) || parent.object !== value || parent.property.type !== 'Identifier') return false
  file.replace(parent.property, entryOf(fields, parent.property.name) ?? parent.property.name)
  return true
}

function noteFields(file: SourceFile, fields: Fields, node: Node): void {
  const pairs = Object.entries(fields).map(([old, name]) => `\`${old}\` is now \`${name}\``)
  file.note(node, `Rename the fields that are read here: ${pairs.join(', ')}.`)
}

/** Adds notes where a hash of type `string` is added, because the kit takes viem's `Hash`. */
function noteHashes(file: SourceFile): void {
  for (const { parents } of file.calls(file.localOf(rainbowKit, 'useAddRecentTransaction'))) {
    const declarator = parents.at(-1)
    if (declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier') continue
    for (const { call } of file.calls(declarator.id.name)) {
      const [added] = call.arguments
      const hash = added?.type === 'ObjectExpression' ? findValue(added, 'hash') : undefined
      if (hash?.type === 'Identifier' && isString(file, hash.name))
        file.note(hash, '`hash` is a `string` here. Give it the type `Hash` of viem, which wagmi’s hooks return.')
    }
  }
}

/** Returns whether a name is declared with the type `string` anywhere in the file. */
const isString = (file: SourceFile, name: string) =>
  [...file.nodes()].some(
    ({ node }) =>
      node.type === 'Identifier' &&
      node.name === name &&
      node.typeAnnotation?.type === 'TSTypeAnnotation' &&
      node.typeAnnotation.typeAnnotation.type === 'TSStringKeyword',
  )

/**
 * Returns the uses of the function that opens a dialog.
 *
 * @param fields - The kit's fields of the hook, by their name in RainbowKit.
 * @param parents - The parents of the call of the hook.
 */
function findOpenerUses(file: SourceFile, fields: Fields, parents: readonly Node[]): Place[] {
  const find = (name: string) => findInScope(file, name, parents)
  const parent = parents.at(-1)
  if (isOpener(parent, fields)) {
    const declared = parents.at(-2)
    const name = declared?.type === 'VariableDeclarator' && declared.id.type === 'Identifier' && declared.id.name
    return name ? find(name) : [{ node: parent, parents: parents.slice(0, -1) }]
  }
  if (parent?.type !== 'VariableDeclarator') return []
  if (parent.id.type === 'Identifier') return find(parent.id.name).flatMap((it) => readMember(it, fields))
  return readOpenerNames(parent.id, fields).flatMap(find)
}

/** Returns whether a node reads the function from what the hook returns, as in `modal.openConnectModal`. */
function isOpener(node: Node | undefined, fields: Fields): node is MemberExpression | OptionalMemberExpression {
  return isMember(node) && node.property.type === 'Identifier' && entryOf(fields, node.property.name) === 'open'
}

function readMember({ node, parents }: Place, fields: Fields): Place[] {
  const member = parents.at(-1)
  const isRead = isOpener(member, fields) && member.object === node
  return isRead ? [{ node: member, parents: parents.slice(0, -1) }] : []
}

/** Returns the local names of the function in a pattern such as `{ openConnectModal }`. */
function readOpenerNames(pattern: Node, fields: Fields): string[] {
  if (pattern.type !== 'ObjectPattern') return []
  return pattern.properties.flatMap((it) => {
    if (it.type !== 'ObjectProperty' || it.key.type !== 'Identifier' || entryOf(fields, it.key.name) !== 'open')
      return []
    const value = it.value.type === 'AssignmentPattern' ? it.value.left : it.value
    return value.type === 'Identifier' ? [value.name] : []
  })
}

/** Returns whether a value is used as a condition: `value && …`, `value ? … : …`, `!value`, `if (value)`. */
function isCondition(node: Node, parents: readonly Node[]): boolean {
  const parent = parents.at(-1)
  switch (parent?.type) {
    case 'LogicalExpression':
      return parent.left === node || isCondition(parent, parents.slice(0, -1))
    case 'ConditionalExpression':
    case 'IfStatement':
      return parent.test === node
    case 'UnaryExpression':
    case 'BinaryExpression':
      return true
    case 'CallExpression':
      return parent.callee.type === 'Identifier' && parent.callee.name === 'Boolean'
    default:
      return false
  }
}
