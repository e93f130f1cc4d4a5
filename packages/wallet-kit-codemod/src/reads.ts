import type { CallExpression, MemberExpression, Node, OptionalMemberExpression } from '@babel/types'
import type { SourceFile } from './SourceFile.ts'

/** A node, and the nodes around it, the nearest last. */
export type Place = { node: Node; parents: readonly Node[] }

/** Returns the places inside the function around some nodes that refer to a name. */
export function findInScope(file: SourceFile, name: string, parents: readonly Node[]): Place[] {
  const scope = parents.findLast((it) => isFunction(it)) ?? file.program
  return [...file.references(name)].filter((it) => it.parents.includes(scope))
}

const isFunction = ({ type }: Node) => /^(Arrow)?Function(Expression|Declaration)$|Method$/.test(type)

/** Returns whether a node reads a property by its name, as in `value.name` and `value?.name`. */
export const isMember = (node: Node | undefined): node is MemberExpression | OptionalMemberExpression =>
  (node?.type === 'MemberExpression' || node?.type === 'OptionalMemberExpression') &&
  node.property.type === 'Identifier' &&
  !node.computed

/** Returns the name of the property that a node reads, if it reads one of this object. */
const readFrom = (node: Node | undefined, object: Node): string | undefined =>
  isMember(node) && node.object === object && node.property.type === 'Identifier' ? node.property.name : undefined

/** Returns where a field of what a call returns is read: in a pattern, from the call itself, or from a variable. */
export function findReads(
  file: SourceFile,
  field: string,
  { call, parents }: { call: CallExpression; parents: readonly Node[] },
): Node[] {
  const parent = parents.at(-1)
  if (parent && readFrom(parent, call) === field) return [parent]
  if (parent?.type !== 'VariableDeclarator') return []
  if (parent.id.type === 'ObjectPattern')
    return parent.id.properties.filter(
      (it) => it.type === 'ObjectProperty' && it.key.type === 'Identifier' && it.key.name === field,
    )
  if (parent.id.type !== 'Identifier') return []
  return findInScope(file, parent.id.name, parents).flatMap(({ node, parents: around }) => {
    const member = around.at(-1)
    return member && readFrom(member, node) === field ? [member] : []
  })
}
