import type { MemberExpression, Node, OptionalMemberExpression } from '@babel/types'
import { entryOf } from './names.ts'
import { findInScope, isMember, type Place } from './reads.ts'
import type { SourceFile } from './SourceFile.ts'

type Fields = Readonly<Record<string, string>>

/**
 * Returns the uses of the function that opens a dialog.
 *
 * @param fields - The kit's fields of the hook, by their name in RainbowKit.
 * @param parents - The parents of the call of the hook.
 */
export function findOpenerUses(file: SourceFile, fields: Fields, parents: readonly Node[]): Place[] {
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
export function isCondition(node: Node, parents: readonly Node[]): boolean {
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
