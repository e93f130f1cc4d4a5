import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { createHost, options } from './compileBlocks.ts'
import { root } from './markdown.ts'

const folder = join(root, 'packages/wallet-kit/src/exports')
const files = readdirSync(folder).filter((file) => /^[a-z-]+\.ts$/.test(file))

export type KitExport = Docblock & {
  /** The entry with this export, such as `core`. */
  entry: string
  /** Text of its docblock before the first tag. */
  words: string
  /** `true` if it can be called: a function, a hook, a component, or a wallet that creates a connector. */
  isFunction: boolean
  members: Docblock[]
}

/** Reads the exports of each entry of the kit, with their docblocks. */
export function readKitExports(): KitExport[] {
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    options,
    createHost(),
  )
  const checker = program.getTypeChecker()
  return files.flatMap((file) => {
    const source = program.getSourceFile(join(folder, file))
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} exports nothing. Remove it, or export something.`)
    return checker.getExportsOfModule(module).map((symbol) => readExport(checker, basename(file, '.ts'), symbol))
  })
}

/** Reads the names that the kit exports, without compiling it. */
export const readExportedNames = (): string[] =>
  files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const listed = [...text.matchAll(/\{([^}]+)\} from/g)].flatMap(
      ([, list = '']) => list.match(/\w+(?=,|\s*$)/g) ?? [],
    )
    const all = [...text.matchAll(/\* from '(.+)'/g)].flatMap(
      ([, path = '']) => readFileSync(join(folder, path), 'utf8').match(/(?<=^export const )\w+/gm) ?? [],
    )
    return [...listed, ...all]
  })

function readExport(checker: ts.TypeChecker, entry: string, symbol: ts.Symbol): KitExport {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const [declaration] = target.declarations ?? []
  if (!declaration) throw new Error(`${entry} exports ${symbol.name}, which is not declared.`)
  return {
    ...readDocblock(symbol.name, declaration),
    entry,
    words: ts.displayPartsToString(target.getDocumentationComment(checker)),
    isFunction:
      (target.flags & ts.SymbolFlags.Value) !== 0 &&
      checker.getTypeOfSymbolAtLocation(target, declaration).getCallSignatures().length > 0,
    members: findMembers(declaration).map((node) =>
      readDocblock(`${symbol.name}.${node.name?.getText() ?? 'constructor'}`, node),
    ),
  }
}

/** The docblock of an export, or of a member of an exported type. */
type Docblock = ReturnType<typeof readDocblock>

function readDocblock(name: string, node: ts.Declaration) {
  const tags = ts.getJSDocTags(node)
  const described = tags.filter(ts.isJSDocParameterTag).map((tag) => tag.name.getText())
  const parameters = parametersOf(node).map(({ name }) =>
    ts.isIdentifier(name) ? [name.text] : ['parameters', 'options', 'props'],
  )
  return {
    /** Its name, such as `connect`; a member's with its type, such as `WalletKit.connect`. */
    name,
    examples: tags
      .filter((tag) => tag.tagName.text === 'example')
      .map((tag) => ts.getTextOfJSDocComment(tag.comment) ?? ''),
    /** Parameters without a `@param`. A parameter that is destructured is called `parameters` or `options`. */
    parametersWithoutWords: parameters
      .filter((names) => !names.some((one) => described.includes(one)))
      .map(([first = '']) => first),
  }
}

/** Returns the parameters of a function or method, or of a declaration with a function's type. */
function parametersOf(node: ts.Node): readonly ts.ParameterDeclaration[] {
  if (ts.isFunctionLike(node)) return node.parameters
  if (ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer))
    return node.initializer.parameters
  const isTyped = ts.isTypeAliasDeclaration(node) || ts.isPropertySignature(node)
  return isTyped && node.type && ts.isFunctionTypeNode(node.type) ? node.type.parameters : []
}

type Member =
  | ts.PropertySignature
  | ts.MethodSignature
  | ts.PropertyDeclaration
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration

/** Returns the members that a type or class declares, also in its unions and nested objects. */
function findMembers(declaration: ts.Declaration): Member[] {
  const members: Member[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionTypeNode(node)) return
    if (
      ts.isPropertySignature(node) ||
      ts.isMethodSignature(node) ||
      ts.isPropertyDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isConstructorDeclaration(node)
    )
      members.push(node)
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit)
  }
  if (ts.isTypeAliasDeclaration(declaration)) visit(declaration.type)
  else if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration))
    for (const member of declaration.members) visit(member)
  return members
}
