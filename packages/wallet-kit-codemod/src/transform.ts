import { rainbowKit } from './names.ts'
import { rewriteConfig } from './rewriteConfig.ts'
import { rewriteHooks } from './rewriteHooks.ts'
import { rewriteImports } from './rewriteImports.ts'
import { rewriteProvider } from './rewriteProvider.ts'
import { rewriteTheme } from './rewriteTheme.ts'
import { rewriteWallets } from './rewriteWallets.ts'
import { type Note, SourceFile } from './SourceFile.ts'

/** Place of the app's wagmi configuration, and the name of the kit beside it. */
export type ConfigPlace = { path: string; kit: string }

/** Returns the source of the import of the configuration, from a file that has one. */
export type FindConfigImport = (sources: readonly string[]) => string | undefined

/**
 * Rewrites one file of an app from RainbowKit to the kit.
 *
 * @param path - Its path, for notes and for the kind of its syntax.
 * @param text - What it contains.
 * @param config - Where another file makes the configuration, if one does.
 * @param findImport - Finds that file among the imports of this one.
 * @returns Its new text; `kit` is the name of the kit that it makes, if it makes one.
 * @throws {SyntaxError} when the text is no JavaScript or TypeScript
 */
export function transform(
  path: string,
  text: string,
  config?: ConfigPlace,
  findImport: FindConfigImport = () => undefined,
): { text: string; notes: Note[]; kit: string | undefined } {
  if (!text.includes(rainbowKit)) return { text, notes: [], kit: undefined }
  const file = new SourceFile(path, text)
  rewriteWallets(file)
  const kit = rewriteConfig(file)
  rewriteHooks(file)
  rewriteTheme(file)
  noteButton(file)
  if (rewriteProvider(file, kit ?? config?.kit ?? 'kit') && !kit) importKit(file, config, findImport)
  rewriteImports(file)
  const notes = file.notes.toSorted((a, b) => a.line - b.line)
  return { text: file.edits.toString(), notes, kit }
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
    `Import the kit${config ? ` from ${config.path}` : ' that you make with `createWalletKit`'}.`,
  )
}

/** The kit's render prop has every field of RainbowKit's but one. */
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
