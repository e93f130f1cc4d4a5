import { entryOf, rainbowKitWallets, walletKit, wallets } from './names.ts'
import type { SourceFile } from './SourceFile.ts'

/** Replaces RainbowKit's wallets with the kit's definitions, and removes wallets without a definition. */
export function rewriteWallets(file: SourceFile): void {
  for (const { specifier, imported, local } of file.specifiersOf(rainbowKitWallets)) {
    const name = entryOf(wallets, imported)
    if (name === undefined) file.note(specifier, explain(imported))
    else file.want(`${walletKit}/wallets`, name)
    for (const { node, parents } of file.references(local)) {
      const list = parents.at(-1)
      if (name !== undefined) file.replace(node, name)
      else if (list?.type === 'ArrayExpression') removeElement(file, list.elements, node)
      else file.note(node, explain(imported))
    }
  }
}

const explain = (imported: string) =>
  imported === 'injectedWallet'
    ? '`injectedWallet` is left out: wallets that announce themselves are listed without it.'
    : `\`${imported}\` is left out: it is listed when it announces itself. For its other ways write a definition.`

/** Removes an element of a list together with one adjacent comma. */
function removeElement(
  file: SourceFile,
  elements: readonly unknown[],
  node: { start?: number | null; end?: number | null },
) {
  const { start, end } = { start: node.start ?? 0, end: node.end ?? 0 }
  const after = /^\s*,[ \t]*/.exec(file.text.slice(end))?.[0].length
  const before = /,\s*$/.exec(file.text.slice(0, start))?.[0].length ?? 0
  if (after !== undefined && elements.at(-1) !== node) file.edits.remove(start, end + after)
  else file.edits.remove(start - before, end)
}
