import { basename, dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { type CodeBlock, codeBlocks, root } from './markdown.ts'

/** Compiler options of a strict app that reads the kit from its sources. */
export const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  // Uses the sources of this repository's packages, so that nothing has to be built.
  customConditions: ['@lineage/source'],
  allowImportingTsExtensions: true,
  jsx: ts.JsxEmit.ReactJSX,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
}

/** Time limit of compiling in milliseconds, which takes about 25 seconds of one core that may be busy. */
export const timeLimit = 600_000

/** Returns whether a block is code, which must compile. */
export const isCode = ({ language }: CodeBlock): boolean => /^(diff|[cm]?[jt]sx?|javascript|typescript)$/.test(language)

/**
 * Compiles the code blocks of Markdown: JavaScript as TypeScript, and of a diff the code after the change. Returns the errors of each file, with line numbers of the Markdown.
 *
 * @param texts - The Markdown, by path of its file.
 */
export function compileBlocks(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  const files = [...texts.keys()]
  const modules = new Map([...texts].flatMap(([file, text]) => toModules(file, text).map((it) => [it.path, it])))
  const sources = new Map([...modules.values()].map(({ path, text }) => [path, text]))
  sources.set(join(root, 'packages/wallet-kit/notInstalled.d.ts'), notInstalled)
  const program = ts.createProgram([...sources.keys()], options, createHost(sources))
  return new Map(
    files.map((file) => [
      file,
      [...modules.values()].filter((module) => module.file === file).flatMap((module) => errorsOf(program, module)),
    ]),
  )
}

const parsed = new Map<string, ts.SourceFile | undefined>()

/** Creates a host that finds these files too. Files on disk are parsed once for all programs. */
export function createHost(texts: ReadonlyMap<string, string> = new Map()): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile } = host
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path)
    if (text !== undefined) return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, ...rest))
    return parsed.get(path)
  }
  return host
}

type Module = {
  file: string
  path: string
  text: string
  /** Difference between a line number of the Markdown and that of `text`. */
  shift: number
  /** The first line of the block in the Markdown. */
  line: number
}

/**
 * Creates a module of each block, in the folder of the Markdown's package. A block can use the names of earlier
 * blocks, and import them by the file that their first line names: `// src/kit.ts`.
 */
function toModules(file: string, markdown: string): Module[] {
  const folder = folderOf(file)
  const earlier = new Map<string, string>()
  const files = new Map<string, string>()
  return codeBlocks(markdown)
    .filter(isCode)
    .map((block) => {
      const { preamble, line, language } = block
      const name = `${basename(file).replace(/\.mdx?$/, '')}-docs-${line}.${language === 'ts' ? 'ts' : 'tsx'}`
      const code = afterChange(block)
        .replace(/(?<=from ')\.\/(\w+)(?=')/g, (path, stem: string) => files.get(stem) ?? path)
        // A reader's file at the root of the repository.
        .replaceAll("'./packages/", `'${relative(folder, root)}/packages/`)
      const own = namesOf(`${preamble}\n${code}`)
      const used = new Set(code.match(/[A-Za-z_$][\w$]*/g))
      const imports = [...earlier].filter(([one]) => used.has(one) && !own.imports.has(one) && !own.declared.has(one))
      const before = [...imports.map(([, text]) => text), preamble].join('\n')
      for (const [one, text] of own.imports) earlier.set(one, text)
      for (const one of own.declared) earlier.set(one, `import { ${one} } from './${name}'`)
      const exported = [...own.declared].filter((one) => !own.exported.has(one))
      const ownFile = /^\/\/ (?:\w+\/)*(\w+)\.tsx?\b/.exec(code)?.[1]
      if (ownFile) files.set(ownFile, `./${name}`)
      const text = `${before}\n${code}\nexport { ${exported.join(', ')} }\n`
      return { file, path: join(folder, name), text, shift: line - 1 - before.split('\n').length, line }
    })
}

/** Returns the folder whose packages a file's blocks import. The documentation is about the kit. */
function folderOf(file: string): string {
  if (file.startsWith('apps/docs/')) return join(root, 'packages/wallet-kit')
  return join(root, /^(packages|apps)\//.test(file) ? dirname(file) : 'apps/web')
}

/** Returns the code of a block; of a diff the code after the change, with the same line numbers. */
const afterChange = ({ code, language }: CodeBlock): string =>
  language === 'diff' ? code.replace(/^-.*/gm, '').replace(/^[+ ]/gm, '') : code

type Names = {
  declared: Set<string>
  exported: Set<string> /** The import of each imported name. */
  imports: Map<string, string>
}

/** Returns the top-level names of a module. */
function namesOf(code: string): Names {
  const names: Names = { declared: new Set(), exported: new Set(), imports: new Map() }
  for (const statement of ts.createSourceFile('a.tsx', code, ts.ScriptTarget.ESNext, true).statements) {
    if (ts.isImportDeclaration(statement))
      for (const [name, text] of importsOf(statement)) names.imports.set(name, text)
    for (const name of declaredBy(statement)) {
      names.declared.add(name)
      if (
        ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      )
        names.exported.add(name)
    }
  }
  return names
}

function importsOf({ importClause, moduleSpecifier }: ts.ImportDeclaration): [string, string][] {
  const from = `from ${moduleSpecifier.getText()}`
  const bindings = importClause?.namedBindings
  return [
    ...(importClause?.name
      ? [[importClause.name.text, `import ${importClause.name.text} ${from}`] as [string, string]]
      : []),
    ...(bindings && ts.isNamedImports(bindings)
      ? bindings.elements.map((element): [string, string] => [
          element.name.text,
          `import { ${element.getText()} } ${from}`,
        ])
      : []),
  ]
}

function declaredBy(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name))
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement)
  return isNamed && statement.name ? [statement.name.text] : []
}

const namesIn = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []))

function errorsOf(program: ts.Program, { path, shift, line }: Module): string[] {
  const source = program.getSourceFile(path)
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => {
    const at = source?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0
    return `line ${Math.max(line, at + 1 + shift)}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`
  })
}

/**
 * Declarations of packages that the documentation imports and this repository does not install, reduced to what it
 * uses: `@base-org/account` 2.5.10, `next` 16 and `@mui/material-nextjs` 9.
 */
const notInstalled = `
declare module '@base-org/account' {
  type Options = {
    appName?: string
    appLogoUrl?: string | null
    appChainIds?: number[]
    preference?: { walletUrl?: string; telemetry?: boolean } & Record<string, unknown>
  }
  interface ProviderInterface {
    request(args: { readonly method: string; readonly params?: readonly unknown[] | object }): Promise<unknown>
    disconnect(): Promise<void>
  }
  export function createBaseAccountSDK(params: Options): { getProvider: () => ProviderInterface }
}
declare module 'next/headers' {
  export function headers(): Promise<Headers>
}
declare module '@mui/material-nextjs/v16-appRouter' {
  import type { JSX, ReactNode } from 'react'
  export function AppRouterCacheProvider(props: { children: ReactNode }): JSX.Element
}
`
