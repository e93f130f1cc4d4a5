import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { options } from './compileBlocks.ts'
import { root } from './markdown.ts'

const folder = join(root, 'packages/wallet-kit/src/exports')

export type KitExport = {
  /** The entry with this export, such as `core`. */
  entry: string
  name: string
  isType: boolean
  /** Text of its docblock before the first tag. */
  words: string
  examples: string[]
  /** Parameters without a `@param`, in order. */
  parametersWithoutWords: number
}

/** Reads the exports of each entry of the kit, with their docblocks. */
export function readKitExports(): KitExport[] {
  const files = readdirSync(folder).filter((file) => /^[a-z-]+\.ts$/.test(file))
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    options,
  )
  const checker = program.getTypeChecker()
  return files.flatMap((file) => {
    const source = program.getSourceFile(join(folder, file))
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} exports nothing. Remove it, or export something.`)
    return checker.getExportsOfModule(module).map((symbol) => readExport(checker, basename(file, '.ts'), symbol))
  })
}

function readExport(checker: ts.TypeChecker, entry: string, symbol: ts.Symbol): KitExport {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const tags = target.getJsDocTags(checker)
  const texts = (name: string) =>
    tags.filter((tag) => tag.name === name).map(({ text }) => ts.displayPartsToString(text))
  const parameters = (target.declarations ?? []).filter(ts.isFunctionDeclaration).map((it) => it.parameters.length)
  return {
    entry,
    name: symbol.name,
    isType: !(target.flags & ts.SymbolFlags.Value),
    words: ts.displayPartsToString(target.getDocumentationComment(checker)),
    examples: texts('example'),
    parametersWithoutWords: Math.max(0, (parameters[0] ?? 0) - texts('param').length),
  }
}
