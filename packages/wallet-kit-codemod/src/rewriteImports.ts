import type { ImportDeclaration } from '@babel/types'
import { advice, entryOf, rainbowKit, rainbowKitWallets, replacements, walletKit, wallets } from './names.ts'
import type { SourceFile } from './SourceFile.ts'

/** Names that other parts of the codemod rewrite. */
const handled = [
  'AvatarComponent',
  'connectorsForWallets',
  'createAuthenticationAdapter',
  'darkTheme',
  'getDefaultConfig',
  'getDefaultWallets',
  'lightTheme',
  'midnightTheme',
  'RainbowKitAuthenticationProvider',
]

const styles = `${rainbowKit}/styles.css`

/** Replaces imports from RainbowKit with imports from the kit. A name that is still used stays, with a note. */
export function rewriteImports(file: SourceFile): void {
  noteOthers(file)
  for (const node of file.imports) if (node.source.value === styles && node.specifiers.length === 0) file.remove(node)
  const used = file.usedNames()
  const left = file
    .specifiersOf(rainbowKit)
    .filter(
      ({ imported, local }) => !entryOf(replacements, imported) && (!handled.includes(imported) || used.has(local)),
    )
  for (const { specifier, imported, local } of left)
    if (handled.includes(imported)) noteUses(file, local)
    else file.note(specifier, entryOf(advice, imported) ?? `The kit has no \`${imported}\`. Do without it.`)
  for (const { imported, local } of file.specifiersOf(rainbowKit)) {
    const it = entryOf(replacements, imported)
    if (!it) continue
    const isAlias = local !== imported || (it.name !== imported && file.uses(it.name))
    file.want(`${walletKit}${it.entry}`, isAlias ? `${it.name} as ${local}` : it.name)
    if (!isAlias && it.name !== imported) for (const { node } of file.references(local)) file.replace(node, it.name)
  }
  const leftWallets = file
    .specifiersOf(rainbowKitWallets)
    .filter(({ imported, local }) => !entryOf(wallets, imported) && used.has(local))
  writeImports(file, [
    [rainbowKit, left.map(({ text }) => text)],
    [rainbowKitWallets, leftWallets.map(({ text }) => text)],
  ])
}

/** Adds notes on uses of a name that are left as they were, where a line has no other note. */
function noteUses(file: SourceFile, name: string): void {
  for (const { node } of file.references(name))
    if (!file.isReplaced(node) && !file.notes.some(({ line }) => line === node.loc?.start.line))
      file.note(node, `Rewrite \`${name}\` by hand: the kit has it in another form.`)
}

/** Adds notes for uses of RainbowKit that are not imports of names, and for its other packages. */
function noteOthers(file: SourceFile): void {
  const text = 'Rewrite this by hand, and what uses it: only `import { … }` is rewritten.'
  for (const node of file.imports) {
    const source = node.source.value
    if (source === styles && node.specifiers.length > 0)
      file.note(node, 'Remove this and what uses it: the kit has no style sheet.')
    else if (source === `${rainbowKit}/chains`) file.replace(node.source, `${file.quote}wagmi/chains${file.quote}`)
    else if (source.startsWith(`${rainbowKit}-`))
      file.note(node, 'Remove it: give `authentication` to `createWalletKit`, with an adapter for your server.')
    else if (source.startsWith(rainbowKit) && node.specifiers.some(({ type }) => type !== 'ImportSpecifier'))
      file.note(node, text)
  }
  for (const { node } of file.nodes())
    if (node.type === 'StringLiteral' && node.value.startsWith(rainbowKit)) file.note(node, text)
}

function writeImports(file: SourceFile, left: readonly (readonly [source: string, names: string[]])[]): void {
  const old = file.imports.filter(
    ({ source, specifiers }) =>
      [rainbowKit, rainbowKitWallets].includes(source.value) &&
      specifiers.every(({ type }) => type === 'ImportSpecifier'),
  )
  const write = (names: readonly string[], source: string) =>
    `import { ${names.join(', ')} } from ${file.quote}${source}${file.quote}${file.semicolon}`
  const lines = left.flatMap(([source, names]) => (names.length > 0 ? [write(names, source)] : []))
  for (const [source, names] of [...file.wanted].toSorted(([a], [b]) => (sourceKey(a) < sourceKey(b) ? -1 : 1))) {
    const present = file.imports.find(
      (it) =>
        it.source.value === source &&
        it.importKind !== 'type' &&
        it.specifiers.some(({ type }) => type === 'ImportSpecifier'),
    )
    const missing = [...names]
      .filter((name) => file.localOf(source, name.replace('type ', '')) === undefined)
      .sort(byName)
    if (missing.length === 0) continue
    if (present) addTo(file, present, missing)
    else lines.push(write(missing, source))
  }
  const [first, ...others] = old
  for (const node of others) file.remove(node)
  if (first) lines.length > 0 ? file.replace(first, lines.join('\n')) : file.remove(first)
  else if (lines.length > 0) file.edits.appendLeft(file.imports[0]?.start ?? 0, `${lines.join('\n')}\n`)
}

/** Sorts packages before files of the app. */
const sourceKey = (source: string) => (source.startsWith('.') ? `~${source}` : source)

const byName = (a: string, b: string) => (sortKey(a) < sortKey(b) ? -1 : 1)
const sortKey = (name: string) => name.replace('type ', '').toLowerCase()

function addTo(file: SourceFile, node: ImportDeclaration, names: readonly string[]): void {
  const last = node.specifiers.findLast(({ type }) => type === 'ImportSpecifier')
  file.edits.appendLeft(last?.end ?? 0, names.map((name) => `, ${name}`).join(''))
}
