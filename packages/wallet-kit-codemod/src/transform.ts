import { relative } from 'node:path'
import { rainbowKit } from './names.ts'
import { noteWagmi } from './noteWagmi.ts'
import { rewriteConfig } from './rewriteConfig.ts'
import { rewriteHooks } from './rewriteHooks.ts'
import { rewriteImports } from './rewriteImports.ts'
import { rewriteAvatar, rewriteProvider } from './rewriteProvider.ts'
import { rewriteTheme } from './rewriteTheme.ts'
import { rewriteWallets } from './rewriteWallets.ts'
import { type Note, SourceFile } from './SourceFile.ts'
import { findValue, isMember } from './syntax.ts'

/** A kit that another file creates. `source` is how this file imports it, if it can. */
export type FoundKit = { path: string; kit: string; source: string | undefined }

/** Returns the kit for the provider of a file with these import sources, or `undefined` if several are possible. */
export type FindKit = (sources: readonly string[]) => FoundKit | undefined

/**
 * Rewrites one file of an app from RainbowKit to the kit. If the app has a kit, it also adds notes on uses of wagmi.
 *
 * @param path - Path of the file, for notes and to choose the syntax.
 * @param text - Content of the file.
 * @param findKit - Finds the kit that another file creates, if any does. Called only for a file that takes it.
 * @param isKitTaken - Whether another file imports the kit that this file creates.
 * @returns The new text; `kit` is the name of the kit that the file creates, if any.
 * @throws {SyntaxError} when the text is not JavaScript or TypeScript
 */
export function transform(
  path: string,
  text: string,
  findKit?: FindKit,
  isKitTaken = false,
): { text: string; notes: Note[]; kit: string | undefined } {
  const hasWagmi = findKit !== undefined && text.includes('wagmi')
  if (!hasWagmi && !text.includes(rainbowKit)) return { text, notes: [], kit: undefined }
  const file = new SourceFile(path, text)
  if (hasWagmi) noteWagmi(file)
  const kit = text.includes(rainbowKit) ? rewrite(file, findKit, isKitTaken) : undefined
  const notes = file.notes.toSorted((a, b) => a.line - b.line)
  return { text: withLineEnds(file.edits.toString(), text), notes, kit }
}

/** Gives a text the line ends of the original if that has no others than those of Windows. */
const withLineEnds = (text: string, original: string) =>
  original.includes('\r\n') && !/(?<!\r)\n/.test(original) ? text.replace(/\r?\n/g, '\r\n') : text

/** Rewrites a file that names RainbowKit. Returns the name of the kit that it creates, if any. */
function rewrite(file: SourceFile, findKit: FindKit | undefined, isKitTaken: boolean): string | undefined {
  rewriteWallets(file)
  const kit = rewriteConfig(file, isKitTaken)
  rewriteHooks(file)
  rewriteTheme(file)
  rewriteAvatar(file)
  noteIcons(file)
  rewriteProvider(file, () => kit ?? importKit(file, findKit))
  rewriteImports(file)
  return kit
}

/** Imports the kit, or adds a note where it cannot be imported. Returns its local name. */
function importKit(file: SourceFile, findKit: FindKit | undefined): string {
  const found = findKit?.(file.imports.map((it) => it.source.value))
  const local = file.unusedName(found?.kit ?? 'kit', 'walletKit')
  if (found?.source) {
    file.want(found.source, found.kit === local ? local : `${found.kit} as ${local}`)
    return local
  }
  const [place] = file.imports
  file.note(
    place ?? file.program,
    found
      ? `Import \`${found.kit}\` of ${relative(process.cwd(), found.path)} here: this file is in another package.`
      : 'Import the kit that you make with `createWalletKit`.',
  )
  return local
}

/** Adds notes on icons of chains in the forms that RainbowKit alone has. */
function noteIcons(file: SourceFile): void {
  const hasButton = file.localOf(rainbowKit, 'ConnectButton') !== undefined
  for (const { node } of file.nodes()) {
    if (hasButton && isMember(node) && node.property.type === 'Identifier' && node.property.name === 'iconBackground')
      file.note(node, 'The kit’s chains have no `iconBackground`. Remove it.')
    // A wallet, which has `createConnector`, may still load its icon.
    const icon = node.type === 'ObjectExpression' && !findValue(node, 'createConnector') && findValue(node, 'iconUrl')
    if (icon && /Function/.test(icon.type))
      file.note(icon, 'Write the `iconUrl` of a chain as a string: the kit calls no function for it.')
  }
}
