import { relative } from 'node:path'
import { rainbowKit } from './names.ts'
import { noteWagmi } from './noteWagmi.ts'
import { rewriteAvatar } from './rewriteAvatar.ts'
import { rewriteConfig } from './rewriteConfig.ts'
import { rewriteHooks } from './rewriteHooks.ts'
import { rewriteImports } from './rewriteImports.ts'
import { rewriteProvider } from './rewriteProvider.ts'
import { rewriteTheme } from './rewriteTheme.ts'
import { rewriteWallets } from './rewriteWallets.ts'
import { type Note, SourceFile } from './SourceFile.ts'

/** Path of the app's wagmi configuration, and the name of the kit in it. */
export type ConfigPlace = { path: string; kit: string }

/** Returns the import source that leads to the configuration, of those in a file. */
export type FindConfigImport = (sources: readonly string[]) => string | undefined

/**
 * Rewrites one file of an app from RainbowKit to the kit. With a configuration it also adds notes on uses of wagmi.
 *
 * @param path - Path of the file, for notes and to choose the syntax.
 * @param text - Content of the file.
 * @param config - Place of the configuration, if another file creates it.
 * @param findImport - Finds that file among the imports of this one.
 * @returns The new text; `kit` is the name of the kit that the file creates, if any.
 * @throws {SyntaxError} when the text is not JavaScript or TypeScript
 */
export function transform(
  path: string,
  text: string,
  config?: ConfigPlace,
  findImport: FindConfigImport = () => undefined,
): { text: string; notes: Note[]; kit: string | undefined } {
  const hasWagmi = config !== undefined && text.includes('wagmi')
  if (!hasWagmi && !text.includes(rainbowKit)) return { text, notes: [], kit: undefined }
  const file = new SourceFile(path, text)
  if (hasWagmi) noteWagmi(file)
  const kit = text.includes(rainbowKit) ? rewrite(file, config, findImport) : undefined
  const notes = file.notes.toSorted((a, b) => a.line - b.line)
  return { text: file.edits.toString(), notes, kit }
}

/** Rewrites a file that names RainbowKit. Returns the name of the kit that it creates, if any. */
function rewrite(file: SourceFile, config: ConfigPlace | undefined, findImport: FindConfigImport): string | undefined {
  rewriteWallets(file)
  const kit = rewriteConfig(file)
  rewriteHooks(file)
  rewriteTheme(file)
  rewriteAvatar(file)
  noteButton(file)
  if (rewriteProvider(file, kit ?? config?.kit ?? 'kit') && !kit) importKit(file, config, findImport)
  rewriteImports(file)
  return kit
}

function importKit(file: SourceFile, config: ConfigPlace | undefined, findImport: FindConfigImport): void {
  const source = config && findImport(file.imports.map((it) => it.source.value))
  if (source) {
    file.want(source, config.kit)
    return
  }
  const [place] = file.imports
  file.note(
    place ?? file.program,
    config
      ? `Import \`${config.kit}\` of ${relative(process.cwd(), config.path)} here: this file is in another package.`
      : 'Import the kit that you make with `createWalletKit`.',
  )
}

/** Adds a note for the one field of RainbowKit's render prop that the kit's lacks. */
function noteButton(file: SourceFile): void {
  if (file.localOf(rainbowKit, 'ConnectButton') === undefined) return
  for (const { node } of file.nodes())
    if (
      node.type === 'MemberExpression' &&
      node.property.type === 'Identifier' &&
      node.property.name === 'iconBackground'
    )
      file.note(node, 'The kit’s chains have no `iconBackground`. Remove it.')
}
