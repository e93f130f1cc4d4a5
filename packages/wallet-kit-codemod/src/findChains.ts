import type { Node } from '@babel/types'
import { findValue } from './objects.ts'
import type { SourceFile } from './SourceFile.ts'

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
