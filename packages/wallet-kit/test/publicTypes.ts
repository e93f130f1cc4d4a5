import { basename, join } from 'node:path'
import ts from 'typescript'

/**
 * Returns the declarations that an entry of the built package exports, without comments and sorted by name, as an
 * app's compiler sees them.
 *
 * @param entry - Path of a declaration file, such as `dist/core.d.ts`.
 */
export function publicTypes(entry: string): string {
  const program = ts.createProgram([entry], { noEmit: true, module: ts.ModuleKind.NodeNext, skipLibCheck: true })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(entry)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${entry} exports nothing.`)
  const printer = ts.createPrinter({ removeComments: true })
  const declarations = checker.getExportsOfModule(module).map((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const texts = (target.declarations ?? []).map((node) => {
      const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node
      return printer.printNode(ts.EmitHint.Unspecified, statement, node.getSourceFile())
    })
    return { name: symbol.name, text: texts.join('\n') }
  })
  const sorted = declarations.sort((a, b) => (a.name < b.name ? -1 : 1))
  return sorted.map(({ name, text }) => `// ${name}\n${text}\n`).join('\n')
}

/** Returns the path of the snapshot for an entry: `api/core.txt`. */
export const snapshotOf = (entry: string): string => join(import.meta.dirname, 'api', `${basename(entry, '.d.ts')}.txt`)
