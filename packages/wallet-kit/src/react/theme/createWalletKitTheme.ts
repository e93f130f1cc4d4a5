import { ConfigurationError } from '../../core/lib/errors.ts'
import { checkThemeOptions } from '../checkProps.ts'
import { findReadableShade, findReadableText } from './colors.ts'
import { declare, palettes, type Scheme, type Tokens } from './tokens.ts'

/** A look of the kit, for `WalletKitProvider`. */
export type WalletKitTheme = {
  /** Class of the kit's outermost elements. */
  className: string
  /** Sets custom properties on elements with this class. */
  css: string
}

/** Changes that `createWalletKitTheme` makes to the kit's own look. */
export type WalletKitThemeOptions = {
  /**
   * Colour of buttons and links, for both schemes or one each, as hex, `rgb()` or `hsl()`. Text on it is black or white,
   * whichever is readable. Default: jade.
   */
  accent?: string | { light: string; dark: string } | undefined
  /** Corner radius in pixels; dialogs have 4 more. Default: 12. */
  radius?: number | undefined
  /** Colour of the backdrop between page and dialog. Default: ink at 40 %. */
  overlay?: string | undefined
  /** Default: the system's fonts for the language on screen. */
  fontFamily?: string | undefined
  /** A fixed scheme, or the way to select one: `media`, `class`, `data` or a selector with `%s`. Default: `media`. */
  colorScheme?: 'light' | 'dark' | 'media' | 'class' | 'data' | (string & {}) | undefined
  /** Other custom properties, without their prefix, by scheme. They win over the options above. */
  tokens?: { light?: Tokens; dark?: Tokens } | undefined
}

/**
 * Creates the kit's own look with changes: ink on paper, one accent, light and dark.
 *
 * @param options - The changes. Default: none.
 * @example
 * ```tsx
 * const theme = createWalletKitTheme({ accent: { light: '#3451B2', dark: '#9DB1FF' }, radius: 8, colorScheme: 'class' })
 * export const App = ({ kit }: { kit: WalletKit }) => (
 *   <WalletKitProvider kit={kit} theme={theme}>
 *     <ConnectButton />
 *   </WalletKitProvider>
 * )
 * ```
 */
export function createWalletKitTheme(options: WalletKitThemeOptions = {}): WalletKitTheme {
  try {
    // Bundlers replace this. Without a bundler there is no `process`.
    if (process.env.NODE_ENV !== 'production') checkThemeOptions(options)
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
  }
  const { colorScheme = 'media', radius, overlay, fontFamily } = options
  const shared: Tokens = {
    ...(radius !== undefined && { radius: `${radius}px` }),
    ...(overlay !== undefined && { scrim: overlay }),
    ...(fontFamily !== undefined && { font: fontFamily }),
  }
  const light = { ...coloursOf('light', options), ...shared, ...options.tokens?.light }
  const dark = { ...coloursOf('dark', options), ...shared, ...options.tokens?.dark }
  if (colorScheme === 'light') return toTheme([['&', light]])
  if (colorScheme === 'dark') return toTheme([['&', dark]])
  return toTheme([
    ['&', light],
    [selectorOf(colorScheme, 'dark'), dark],
  ])
}

/** The kit's own look on light paper, whatever the system's scheme. */
export const lightTheme: WalletKitTheme = /* @__PURE__ */ createWalletKitTheme({ colorScheme: 'light' })

/** The kit's own look on dark paper, whatever the system's scheme. */
export const darkTheme: WalletKitTheme = /* @__PURE__ */ createWalletKitTheme({ colorScheme: 'dark' })

/** The kit's own look by the system's scheme. It is also the look without a theme. */
export const autoTheme: WalletKitTheme = /* @__PURE__ */ createWalletKitTheme()

/** A look without a colour, to start a brand's from: black on white, white on black, small corners. */
export const neutralTheme: WalletKitTheme = /* @__PURE__ */ createWalletKitTheme({
  accent: { light: '#111111', dark: '#FFFFFF' },
  radius: 8,
  tokens: {
    light: { paper: '#FFFFFF', ink: '#111111', 'ink-2': '#5C5C5C' },
    dark: { paper: '#161616', ink: '#F5F5F5', 'ink-2': '#A6A6A6' },
  },
})

function coloursOf(scheme: Scheme, { accent, tokens }: WalletKitThemeOptions): Tokens {
  const palette: Tokens = { ...palettes[scheme], ...tokens?.[scheme] }
  const given = tokens?.[scheme]?.accent ?? (typeof accent === 'object' ? accent[scheme] : accent)
  const main = given ?? palettes[scheme].accent
  const text = findReadableText(main, ['#FFFFFF', '#0C1512', '#000000'])
  return {
    ...palettes[scheme],
    accent: main,
    ...(text && { 'accent-text': text }),
    'accent-on-paper': findReadableShade(main, palette.paper ?? ''),
    'color-scheme': scheme,
  }
}

/**
 * Creates a theme from tokens by selector, in which `&` is the kit's own element. A later selector wins. Themes of the same
 * tokens have the same class.
 */
export function toTheme(rules: readonly (readonly [selector: string, Tokens])[]): WalletKitTheme {
  const text = rules.map(([selector, tokens]) => nest(selector, `{${declare(tokens)}}`)).join('')
  const className = `wk-theme-${hash(text)}`
  return { className, css: `@layer wallet-kit{${text.replaceAll('&', `.wk.${className}`)}}` }
}

// Hoisted, because the presets above are created with it.
function nest(selector: string, block: string): string {
  return selector[0] === '@' ? `${selector}{&${block}}` : `${selector}${block}`
}

/** Returns the selector of a scheme: by the system, or by an element around the kit's own. */
function selectorOf(colorScheme: string, scheme: Scheme): string {
  if (colorScheme === 'media') return `@media (prefers-color-scheme:${scheme})`
  if (colorScheme === 'class') return `.${scheme} &`
  if (colorScheme === 'data') return `[data-${scheme}] &`
  if (colorScheme.startsWith('data-') && !colorScheme.includes('%s')) return `[${colorScheme}="${scheme}"] &`
  return `${colorScheme.replaceAll('%s', scheme)} &`
}

/** Computes FNV-1a. @see http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(text: string): string {
  let bits = 0x811c9dc5
  for (const character of text) bits = Math.imul(bits ^ character.charCodeAt(0), 0x01000193)
  return (bits >>> 0).toString(36)
}
