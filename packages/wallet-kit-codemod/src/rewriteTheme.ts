import type { CallExpression, Expression, Node, ObjectExpression } from '@babel/types'
import { entryOf, rainbowKit, walletKit } from './names.ts'
import type { SourceFile } from './SourceFile.ts'
import { findInScope, findValue, propertiesOf } from './syntax.ts'

const schemes: Readonly<Record<string, string>> = { darkTheme: 'dark', lightTheme: 'light', midnightTheme: 'dark' }
/** RainbowKit's accents, by scheme. */
const accents: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  light: { blue: '#0E76FD', green: '#1DB847', orange: '#FF801F', pink: '#FF5CA0', purple: '#5F5AFA', red: '#FA423C' },
  dark: { blue: '#3898FF', green: '#4BD166', orange: '#FF983D', pink: '#FF7AB8', purple: '#7A70FF', red: '#FF6257' },
}
const radii: Readonly<Record<string, number>> = { none: 0, small: 4, medium: 8, large: 12 }

/** Rewrites the themes of a file. A pair of a light and a dark theme becomes one theme that follows the system. */
export function rewriteTheme(file: SourceFile): void {
  for (const { node } of file.nodes())
    if (node.type === 'ObjectExpression' && findValue(node, 'lightMode') && findValue(node, 'darkMode')) {
      const [light, dark] = [findValue(node, 'lightMode'), findValue(node, 'darkMode')].map((it) => findCall(file, it))
      if (light && dark) rewritePair(file, node, light, dark)
      else file.note(node, 'Give one theme in place of this pair: `createWalletKitTheme()` has both schemes.')
    }
  for (const name of Object.keys(schemes)) {
    const local = file.localOf(rainbowKit, name)
    for (const { node, parents } of local === undefined ? [] : [...file.references(local)])
      rewriteReference(file, node, parents, `${schemes[name]}`)
  }
}

function rewriteReference(file: SourceFile, node: Node, parents: readonly Node[], scheme: string): void {
  if (parents.some((it) => it.type === 'ObjectExpression' && findValue(it, 'lightMode'))) return
  const place = parents.findIndex((it) => findCall(file, it))
  const call = findCall(file, parents[place])
  const changes = call ? findChanges(file, call, parents.slice(0, place)) : [node]
  for (const it of changes) file.note(it, byHand)
  if (changes.length === 0 && call?.callee === node)
    write(file, call, [...readOptions(file, call), `colorScheme: ${file.quote}${scheme}${file.quote}`])
}

const byHand =
  'Write this theme by hand with `createWalletKitTheme`: it has the form of MUI’s themes, without RainbowKit’s `colors`, `radii`, `fonts`, `shadows` and `blurs`.'

/** Returns where a theme is changed or its parts are read, also by way of its variable. */
function findChanges(file: SourceFile, theme: Node, parents: readonly Node[], seen: readonly Node[] = []): Node[] {
  const parent = parents.at(-1)
  const around = parents.slice(0, -1)
  switch (parent?.type) {
    case 'SpreadElement':
      return [theme]
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return parent.object === theme ? [theme] : []
    case 'CallExpression':
      return parent.callee === theme ? [] : [theme]
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return findChanges(file, parent, around, seen)
    case 'VariableDeclarator':
      if (parent.id.type !== 'Identifier') return [theme]
      if (seen.includes(parent)) return []
      return findInScope(file, parent.id.name, parents).flatMap(({ node, parents: places }) =>
        node === parent.id ? [] : findChanges(file, node, places, [...seen, parent]),
      )
    default:
      return []
  }
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
  const create = file.wantLocal(walletKit, 'createWalletKitTheme')
  file.replace(node, options.length === 0 ? `${create}()` : `${create}({ ${options.join(', ')} })`)
}

/** Returns the options of a theme under the kit's names, and adds notes on options that the kit does not have. */
function readOptions(file: SourceFile, call: CallExpression): string[] {
  const options = call.arguments[0]
  if (!options) return []
  if (options.type !== 'ObjectExpression') {
    file.note(options, 'Write the options of `createWalletKitTheme` by hand: they are not an object here.')
    return []
  }
  const own = propertiesOf(options)
  const accent = readAccent(file, options)
  const hasAccent = own.some(({ name }) => name === 'accentColor')
  return [...(hasAccent ? [] : accent), ...own.flatMap((it) => readOption(file, it.name, it.value as Expression))]
}

/** Returns the accent of a spread such as `...lightTheme.accentColors.purple`, and adds notes on other spreads. */
function readAccent(file: SourceFile, options: ObjectExpression): string[] {
  const found: string[] = []
  for (const it of options.properties) {
    if (it.type !== 'SpreadElement') continue
    const color = findAccent(file, it.argument)
    if (color) found.push(`accent: ${file.quote}${color}${file.quote}`)
    else file.note(it, 'What is spread here is left out. Write the options of `createWalletKitTheme` by hand.')
  }
  return found.slice(-1)
}

function findAccent(file: SourceFile, node: Node): string | undefined {
  const [, theme, color = ''] = /^(\w+)\.accentColors\.(\w+)$/.exec(file.textOf(node)) ?? []
  const name = Object.keys(schemes).find((it) => theme !== undefined && file.localOf(rainbowKit, it) === theme)
  const ofScheme = name && entryOf(accents, schemes[name] ?? '')
  return ofScheme ? entryOf(ofScheme, color) : undefined
}

function readOption(file: SourceFile, name: string, value: Expression): string[] {
  const text = value.type === 'StringLiteral' ? value.value : undefined
  const preset = name === 'accentColor' && value.type === 'MemberExpression' && findAccent(file, value.object)
  if (preset) return [`accent: ${file.quote}${preset}${file.quote}`]
  if (name === 'accentColor') {
    if (text !== undefined && !/^(#|rgba?\(|hsla?\()/i.test(text))
      file.note(value, 'Write this colour as hex, `rgb()` or `hsl()`: the kit computes a readable text colour for it.')
    return [`accent: ${file.textOf(value)}`]
  }
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
