import type { CallExpression, Expression, Node } from '@babel/types'
import { entryOf, rainbowKit, walletKit } from './names.ts'
import { findValue, propertiesOf } from './objects.ts'
import type { SourceFile } from './SourceFile.ts'

const schemes: Readonly<Record<string, string>> = { darkTheme: 'dark', lightTheme: 'light', midnightTheme: 'dark' }
const radii: Readonly<Record<string, number>> = { none: 0, small: 4, medium: 8, large: 12 }

/** Rewrites the themes of a file. A pair of a light and a dark theme becomes one theme that follows the system. */
export function rewriteTheme(file: SourceFile): void {
  for (const { node } of file.nodes())
    if (node.type === 'ObjectExpression') {
      const [light, dark] = [findValue(node, 'lightMode'), findValue(node, 'darkMode')].map((it) => findCall(file, it))
      if (light && dark) rewritePair(file, node, light, dark)
    }
  for (const name of Object.keys(schemes))
    for (const { call, parents } of file.calls(file.localOf(rainbowKit, name)))
      if (!parents.some((it) => it.type === 'ObjectExpression' && findValue(it, 'lightMode')))
        write(file, call, [...readOptions(file, call), `colorScheme: ${file.quote}${schemes[name]}${file.quote}`])
}

/** Finds the call of a RainbowKit theme. */
function findCall(file: SourceFile, node: Node | undefined): CallExpression | undefined {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined
  const { name } = node.callee
  return Object.keys(schemes).some((theme) => file.localOf(rainbowKit, theme) === name) ? node : undefined
}

function rewritePair(file: SourceFile, pair: Node, light: CallExpression, dark: CallExpression): void {
  const [ofLight, ofDark] = [readOptions(file, light), readOptions(file, dark)]
  const differ = ofLight.join() !== ofDark.join()
  if (differ)
    file.note(dark, 'The options of the light theme are taken for both schemes. `accent` may be `{ light, dark }`.')
  write(file, pair, ofLight)
}

function write(file: SourceFile, node: Node, options: readonly string[]): void {
  file.want(walletKit, 'createWalletKitTheme')
  file.replace(
    node,
    options.length === 0 ? 'createWalletKitTheme()' : `createWalletKitTheme({ ${options.join(', ')} })`,
  )
}

/** Returns the options of a theme under the kit's names, and adds notes on options that the kit does not have. */
function readOptions(file: SourceFile, call: CallExpression): string[] {
  const options = call.arguments[0]
  if (!options) return []
  if (options.type !== 'ObjectExpression') {
    file.note(options, 'Write the options of `createWalletKitTheme` by hand: they are not an object here.')
    return []
  }
  return propertiesOf(options).flatMap((it) => readOption(file, it.name, it.value as Expression))
}

function readOption(file: SourceFile, name: string, value: Expression): string[] {
  const text = value.type === 'StringLiteral' ? value.value : undefined
  if (name === 'accentColor') return [`accent: ${file.textOf(value)}`]
  const radius = name === 'borderRadius' && text !== undefined ? entryOf(radii, text) : undefined
  if (radius !== undefined) return [`radius: ${radius}`]
  const isDefault = (name === 'fontStack' && text === 'system') || (name === 'overlayBlur' && text === 'none')
  if (name === 'accentColorForeground')
    file.note(value, '`accentColorForeground` is left out: the kit picks black or white, whichever is readable.')
  else if (!isDefault)
    file.note(
      value,
      `\`${name}\` is left out. The options are \`accent\`, \`radius\`, \`overlay\`, \`fontFamily\` and \`colorScheme\`.`,
    )
  return []
}
