import { parse } from '@babel/parser'
import type { Identifier, ImportDeclaration, ImportSpecifier, JSXIdentifier, Node, Program } from '@babel/types'
import MagicString from 'magic-string'

/** A change that a person has to make, at a line of the original file. */
export type Note = { file: string; line: number; text: string }

/** A file being rewritten: its syntax tree, its edits, and notes on the remaining work. */
export class SourceFile {
  readonly path: string
  readonly text: string
  readonly program: Program
  readonly edits: MagicString
  readonly notes: Note[] = []
  private readonly replaced: { start: number; end: number }[] = []
  private readonly inserted: string[] = []
  /** Names to import, by package. */
  readonly wanted = new Map<string, Set<string>>()

  /** Parses a file. @throws {SyntaxError} when the text is not JavaScript or TypeScript */
  constructor(path: string, text: string) {
    this.path = path
    this.text = text
    const plugins = /\.[cm]?ts$/.test(path) ? (['typescript'] as const) : (['typescript', 'jsx'] as const)
    this.program = parse(text, { sourceType: 'module', plugins: [...plugins, 'decorators'] }).program
    this.edits = new MagicString(text)
  }

  textOf(node: Node): string {
    const { start, end } = located(node)
    return this.text.slice(start, end)
  }

  /** Returns the text of a node with the edits so far. */
  edited(node: Node): string {
    const { start, end } = located(node)
    return this.edits.slice(start, end)
  }

  replace(node: Node, text: string): void {
    const { start, end } = located(node)
    if (this.textOf(node) === text) return
    this.edits.update(start, end, text)
    this.replaced.push({ start, end })
  }

  /** Returns whether a node stands in a part that was replaced. */
  isReplaced(node: Node): boolean {
    const { start, end } = located(node)
    return this.replaced.some((it) => it.start <= start && end <= it.end)
  }

  /** Removes a node, and its line if the line is then empty. */
  remove(node: Node): void {
    let { start, end } = located(node)
    while (/[ \t]/.test(this.text[start - 1] ?? '')) start--
    const isFirst = start === 0 || this.text[start - 1] === '\n'
    if (isFirst && this.text[end] === '\r') end++
    if (isFirst && this.text[end] === '\n') end++
    this.edits.remove(isFirst ? start : located(node).start, end)
  }

  /** Inserts a text before a node. */
  insertBefore(node: Node, text: string): void {
    this.edits.prependRight(located(node).start, text)
    this.inserted.push(text)
  }

  /** Inserts a text after a node, and after a comment on its last line. */
  insertAfter(node: Node, text: string): void {
    const { end } = located(node)
    const comment = /^[ \t]*\/\/.*/.exec(this.text.slice(end))?.[0] ?? ''
    this.edits.appendLeft(end + comment.length, text)
    this.inserted.push(text)
  }

  /** Adds a note on the line of a node, once. */
  note(node: Node, text: string): void {
    const line = node.loc?.start.line ?? 1
    if (!this.notes.some((it) => it.line === line && it.text === text)) this.notes.push({ file: this.path, line, text })
  }

  want(source: string, ...names: string[]): void {
    const wanted = this.wanted.get(source) ?? new Set()
    for (const name of names) wanted.add(name)
    this.wanted.set(source, wanted)
  }

  /**
   * Returns the local name of an import, which is added if the file does not have it. A name that the file uses
   * otherwise is imported under another one, such as `http as wagmiHttp`.
   */
  wantLocal(source: string, name: string, kind: 'type' | 'value' = 'value'): string {
    const present = this.localOf(source, name)
    if (present !== undefined) return present
    const local = this.unusedName(name, prefixed(source, name))
    this.want(source, `${kind === 'type' ? 'type ' : ''}${name}${local === name ? '' : ` as ${local}`}`)
    return local
  }

  /** Returns a name that the file does not use yet: the first, or one that starts with the second. */
  unusedName(name: string, instead: string): string {
    if (!this.uses(name)) return name
    return this.unusedName(instead, `${instead}_`)
  }

  get imports(): ImportDeclaration[] {
    return this.program.body.filter((node) => node.type === 'ImportDeclaration')
  }

  /** Returns the quotation mark that this file uses. */
  get quote(): string {
    return this.imports.some((it) => this.textOf(it.source).startsWith('"')) ? '"' : "'"
  }

  /** Returns the indent of the line on which a node starts. */
  indentOf(node: Node): string {
    const before = this.text.slice(0, located(node).start)
    return /^[ \t]*/.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? ''
  }

  /** Returns the semicolon that ends the imports of this file, or nothing. */
  get semicolon(): string {
    return this.imports.some((it) => this.textOf(it).endsWith(';')) ? ';' : ''
  }

  /** Returns the imports of names from a package; `text` is the text between the braces, for values and types. */
  specifiersOf(source: string): { specifier: ImportSpecifier; imported: string; local: string; text: string }[] {
    return this.imports
      .filter((node) => node.source.value === source)
      .flatMap((node) => node.specifiers.map((specifier) => ({ specifier, isType: node.importKind === 'type' })))
      .flatMap(({ specifier, isType }) => {
        if (specifier.type !== 'ImportSpecifier') return []
        const { imported, local } = specifier
        const text = `${isType ? 'type ' : ''}${this.textOf(specifier)}`
        return [
          {
            specifier,
            imported: imported.type === 'Identifier' ? imported.name : imported.value,
            local: local.name,
            text,
          },
        ]
      })
  }

  /** Returns the names used outside of imports, with the edits so far. */
  usedNames(): Set<string> {
    const statements = this.program.body.filter((node) => node.type !== 'ImportDeclaration')
    const texts = [...statements.map((node) => this.edited(node)), ...this.inserted]
    return new Set(texts.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []))
  }

  /** Returns the local name of an import from a package, or `undefined`. */
  localOf(source: string, imported: string): string | undefined {
    return this.specifiersOf(source).find((it) => it.imported === imported)?.local
  }

  /** Yields every node outside of the imports, with its parents, the nearest last. */
  *nodes(
    root: Node = this.program,
    parents: readonly Node[] = [],
  ): Generator<{ node: Node; parents: readonly Node[] }> {
    if (root.type === 'ImportDeclaration') return
    yield { node: root, parents }
    const inside = [...parents, root]
    for (const [key, value] of Object.entries(root))
      if (!/^(loc|extra|.*[cC]omments)$/.test(key))
        for (const child of [value].flat()) if (isNode(child)) yield* this.nodes(child, inside)
  }

  /** Yields the places that refer to a name. */
  *references(name: string): Generator<{ node: Node; parents: readonly Node[] }> {
    for (const it of this.names()) if (it.node.name === name) yield it
  }

  /** Yields the names that a node contains, but not object keys or properties after a dot. */
  *names(root?: Node): Generator<{ node: Identifier | JSXIdentifier; parents: readonly Node[] }> {
    for (const { node, parents } of this.nodes(root)) {
      const parent = parents.at(-1)
      const isName = node.type === 'Identifier' || node.type === 'JSXIdentifier'
      if (!isName || parent?.type === 'JSXAttribute') continue
      const isProperty =
        (parent?.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
        (parent?.type === 'TSQualifiedName' && parent.right === node)
      const isKey = parent?.type === 'ObjectProperty' && parent.key === node && !parent.computed && !parent.shorthand
      if (!isProperty && !isKey) yield { node, parents }
    }
  }

  /** Returns whether the file imports, declares or uses a name. */
  uses(name: string): boolean {
    const isImported = this.imports.some(({ specifiers }) => specifiers.some(({ local }) => local.name === name))
    return isImported || !this.references(name).next().done
  }

  /** Returns the calls of a function. */
  calls(name: string | undefined) {
    if (name === undefined) return []
    return [...this.references(name)].flatMap(({ node, parents }) => {
      const call = parents.at(-1)
      return call?.type === 'CallExpression' && call.callee === node ? [{ call, parents: parents.slice(0, -1) }] : []
    })
  }
}

/** Puts the first word of an import source before a name: `http` of `wagmi` becomes `wagmiHttp`. */
function prefixed(source: string, name: string): string {
  const prefix = /\w+/.exec(source)?.[0] ?? ''
  return (isCapitalized(name) ? capitalize(prefix) : prefix) + capitalize(name)
}

const isCapitalized = (name: string) => /^[A-Z]/.test(name)
const capitalize = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1)

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function located(node: Node): { start: number; end: number } {
  if (typeof node.start !== 'number' || typeof node.end !== 'number') throw new Error(`${node.type} has no place.`)
  return { start: node.start, end: node.end }
}
