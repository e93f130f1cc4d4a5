import type {
  ArrayExpression,
  CallExpression,
  MemberExpression,
  Node,
  ObjectExpression,
  ObjectProperty,
  OptionalMemberExpression,
  Statement,
} from '@babel/types'
import type { SourceFile } from './SourceFile.ts'

/** Returns the properties of an object that have a plain name as key. */
export const propertiesOf = (object: ObjectExpression): (ObjectProperty & { name: string })[] =>
  object.properties.flatMap((it) => {
    if (it.type !== 'ObjectProperty' || it.computed) return []
    const name = it.key.type === 'Identifier' ? it.key.name : it.key.type === 'StringLiteral' ? it.key.value : undefined
    return name === undefined ? [] : [{ ...it, name }]
  })

/** Returns the value of an object's property. */
export const findValue = (object: ObjectExpression, name: string): Node | undefined =>
  propertiesOf(object).find((it) => it.name === name)?.value

/** Returns the local name of a field in a pattern that reads nothing else, as `x` in `{ field: x }`. */
export function readAlone(pattern: Node, field: string): string | undefined {
  if (pattern.type !== 'ObjectPattern' || pattern.properties.length !== 1) return undefined
  const [property] = pattern.properties
  if (property?.type !== 'ObjectProperty' || property.value.type !== 'Identifier') return undefined
  return property.key.type === 'Identifier' && property.key.name === field ? property.value.name : undefined
}

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

/** Removes elements of a list, each with one comma. */
export function removeElements(file: SourceFile, list: ArrayExpression, removed: ReadonlySet<Node>): void {
  let hasKept = false
  for (const [index, element] of list.elements.entries()) {
    if (!element || !removed.has(element)) {
      hasKept = true
      continue
    }
    const [before, after] = [list.elements[index - 1], list.elements[index + 1]]
    const start = (hasKept ? before?.end : element.start) ?? 0
    const end = hasKept ? element.end : (after?.start ?? (list.end ?? 0) - 1)
    if (end) file.edits.remove(start, end)
  }
}

/** Returns whether every element of a list is removed. */
export const isEmptied = (list: ArrayExpression, removed: ReadonlySet<Node>): boolean =>
  list.elements.every((it) => it !== null && removed.has(it))

/**
 * Returns the last statement of a file that must have run before some nodes are evaluated: it declares a name that they
 * read, also by way of other declarations.
 */
export function findLastRead(file: SourceFile, nodes: readonly Node[]): Node | undefined {
  const read = new Set<Statement>()
  const pending = [...nodes]
  for (const node of pending)
    for (const { node: name } of file.names(node)) {
      const found = file.program.body.find((it) => declares(file, it, name.name))
      if (!found || read.has(found)) continue
      read.add(found)
      pending.push(found)
    }
  // The others are functions, which can be called above their declaration.
  return file.program.body.findLast((it) => read.has(it) && toDeclaration(it)?.type !== 'FunctionDeclaration')
}

/** Returns whether a statement declares a value of this name. */
function declares(file: SourceFile, statement: Statement, name: string): boolean {
  const inside = toDeclaration(statement)
  switch (inside?.type) {
    case 'VariableDeclaration':
      return inside.declarations.some(({ id }) => [...file.names(id)].some(({ node }) => node.name === name))
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSEnumDeclaration':
      return inside.id?.name === name
    default:
      return false
  }
}

/** Returns the declaration of an exported statement, or the statement itself. */
const toDeclaration = (statement: Statement) =>
  statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
    ? statement.declaration
    : statement

/** Names of chains; `undefined` for a chain that is not written out in the file. */
type Names = readonly (string | undefined)[]

/**
 * Returns the names of the chains in a list, also of those in spreads, conditions and copies such as `{ ...mainnet }`.
 * Returns `undefined` if one of them is not written out in the file.
 */
export function findChains(file: SourceFile, list: Node | undefined): string[] | undefined {
  const names = [...new Set(readList(file, list))]
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined
}

function readList(file: SourceFile, list: Node | undefined): Names {
  switch (list?.type) {
    case 'ArrayExpression':
      return list.elements.flatMap((it) =>
        it?.type === 'SpreadElement' ? readList(file, it.argument) : readChain(file, it),
      )
    case 'ConditionalExpression':
      return [...readList(file, list.consequent), ...readList(file, list.alternate)]
    case 'LogicalExpression':
      return [...(list.operator === '&&' ? [] : readList(file, list.left)), ...readList(file, list.right)]
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return readList(file, list.expression)
    case 'Identifier':
      return readList(file, findConstant(file, list.name))
    default:
      return [undefined]
  }
}

function readChain(file: SourceFile, chain: Node | null): Names {
  switch (chain?.type) {
    case 'Identifier':
      return [chain.name]
    case 'MemberExpression':
      return [file.textOf(chain)]
    case 'ConditionalExpression':
      return [...readChain(file, chain.consequent), ...readChain(file, chain.alternate)]
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return readChain(file, chain.expression)
    case 'ObjectExpression': {
      const [first] = chain.properties
      return first?.type === 'SpreadElement' && !findValue(chain, 'id') ? readChain(file, first.argument) : [undefined]
    }
    default:
      return [undefined]
  }
}

/** Returns the value of a `const` of the file. */
function findConstant(file: SourceFile, name: string): Node | undefined {
  for (const statement of file.program.body) {
    const inside = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (inside?.type !== 'VariableDeclaration' || inside.kind !== 'const') continue
    const found = inside.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name)
    if (found?.init) return found.init
  }
  return undefined
}
