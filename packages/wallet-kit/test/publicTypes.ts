import { basename, dirname, join } from 'node:path'
import ts from 'typescript'

/**
 * Returns the public types of each entry of the built package, as an app's compiler sees them: the declarations that it
 * exports, and those that these use and no entry exports, without comments and sorted by name.
 *
 * @param entries - Paths of the declaration files, such as `dist/core.d.ts`.
 */
export function publicTypes(entries: readonly string[]): Map<string, string> {
  const program = ts.createProgram(entries, { noEmit: true, module: ts.ModuleKind.NodeNext, skipLibCheck: true })
  const checker = program.getTypeChecker()
  const modules = entries.map((entry) => [entry, readExports(program, checker, entry)] as const)
  const exported = new Set(modules.flatMap(([, symbols]) => [...symbols.keys()]))
  return new Map(
    modules.map(([entry, symbols]) => {
      const used = findUsed(checker, [...symbols.keys()], exported, dirname(entry))
      return [
        entry,
        [
          ...print([...symbols].map(([symbol, name]) => ({ symbol, name }))),
          ...print(used.map((symbol) => ({ symbol, name: `${symbol.name}, not exported` }))),
        ].join('\n'),
      ]
    }),
  )
}

/** Returns the declarations that an entry exports, with the names under which it does. */
function readExports(program: ts.Program, checker: ts.TypeChecker, entry: string): Map<ts.Symbol, string> {
  const source = program.getSourceFile(entry)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${entry} exports nothing.`)
  return new Map(checker.getExportsOfModule(module).map((symbol) => [targetOf(checker, symbol), symbol.name]))
}

const targetOf = (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

/** Finds the declarations of the package that these use, directly or by others, up to those that are exported. */
function findUsed(
  checker: ts.TypeChecker,
  roots: readonly ts.Symbol[],
  exported: ReadonlySet<ts.Symbol>,
  folder: string,
): ts.Symbol[] {
  const found = new Set<ts.Symbol>()
  const isOwn = (node: ts.Node) => {
    const { parent } = statementOf(node)
    return ts.isSourceFile(parent) && dirname(parent.fileName) === folder
  }
  const visit = (node: ts.Node): void => {
    const symbol = ts.isIdentifier(node) && checker.getSymbolAtLocation(node)
    if (symbol) add(targetOf(checker, symbol))
    ts.forEachChild(node, visit)
  }
  const add = (symbol: ts.Symbol): void => {
    if (found.has(symbol) || exported.has(symbol) || !symbol.declarations?.some(isOwn)) return
    found.add(symbol)
    symbol.declarations.forEach(visit)
  }
  for (const { declarations = [] } of roots) declarations.forEach(visit)
  return [...found]
}

/** Returns the statement of a declaration; for a variable, the `const` statement. */
const statementOf = (node: ts.Node): ts.Node => (ts.isVariableDeclaration(node) ? node.parent.parent : node)

function print(symbols: readonly { symbol: ts.Symbol; name: string }[]): string[] {
  const printer = ts.createPrinter({ removeComments: true })
  const text = (node: ts.Declaration) =>
    printer.printNode(ts.EmitHint.Unspecified, statementOf(node), node.getSourceFile())
  return symbols
    .map(({ symbol, name }) => ({ name, text: (symbol.declarations ?? []).map(text).join('\n') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, text }) => `// ${name}\n${text}\n`)
}

/** Returns the path of the snapshot for an entry: `api/core.txt`. */
export const snapshotOf = (entry: string): string => join(import.meta.dirname, 'api', `${basename(entry, '.d.ts')}.txt`)
