import type { Node, Statement } from '@babel/types'
import type { SourceFile } from './SourceFile.ts'

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
  return file.program.body.findLast((it) => read.has(it) && unwrap(it)?.type !== 'FunctionDeclaration')
}

/** Returns whether a statement declares a value of this name. */
function declares(file: SourceFile, statement: Statement, name: string): boolean {
  const inside = unwrap(statement)
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
const unwrap = (statement: Statement) =>
  statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
    ? statement.declaration
    : statement
