/** The custom properties of the kit's look, without their prefix: `accent` is `--wallet-kit-accent`. */
export type Token =
  | 'accent'
  | 'accent-text'
  | 'accent-hover'
  | 'accent-on-paper'
  | 'paper'
  | 'ink'
  | 'ink-2'
  | 'disabled'
  | 'disabled-paper'
  | 'line'
  | 'hover'
  | 'selected'
  | 'error'
  | 'error-text'
  | 'warning'
  | 'radius'
  | 'dialog-radius'
  | 'font'
  | 'letter-spacing'
  | 'mono'
  | 'scrim'
  | 'shadow'
  | 'color-scheme'

/** Values of the kit's custom properties; those that are left out keep their own. */
export type Tokens = Partial<Record<Token, string>>

export type Scheme = 'light' | 'dark'

/** The colours of the kit's own look: ink on paper, one accent. */
export const palettes = {
  light: {
    accent: '#0B7A63',
    'accent-text': '#FFFFFF',
    paper: '#FBFAF7',
    ink: '#15181D',
    'ink-2': 'rgb(21 24 29 / 0.64)',
    disabled: 'rgb(0 0 0 / 0.26)',
    'disabled-paper': 'rgb(0 0 0 / 0.12)',
    line: 'rgb(21 24 29 / 0.1)',
    hover: 'rgb(21 24 29 / 0.04)',
    selected: 'rgb(21 24 29 / 0.06)',
    error: '#B3341F',
    'error-text': '#FFFFFF',
    warning: '#8A5A00',
  },
  dark: {
    accent: '#45D0AE',
    'accent-text': '#0C1512',
    paper: '#1A1D21',
    ink: '#E9E6DF',
    'ink-2': 'rgb(233 230 223 / 0.64)',
    disabled: 'rgb(255 255 255 / 0.3)',
    'disabled-paper': 'rgb(255 255 255 / 0.12)',
    line: 'rgb(233 230 223 / 0.12)',
    hover: 'rgb(233 230 223 / 0.05)',
    selected: 'rgb(233 230 223 / 0.08)',
    error: '#F08A72',
    'error-text': '#0C1512',
    warning: '#E5B45A',
  },
} satisfies Record<Scheme, Tokens>

/** Returns declarations of custom properties. */
export const declare = (tokens: Tokens, prefix: '--wallet-kit-' | '--wk-' = '--wallet-kit-') =>
  Object.entries(tokens)
    .map(([name, value]) => `${prefix}${name}:${value};`)
    .join('')

/** Returns the properties that the kit's rules read: the app's where it has set them. */
const internal = (palette: Tokens) =>
  declare(
    Object.fromEntries(Object.entries(palette).map(([name, value]) => [name, `var(--wallet-kit-${name},${value})`])),
    '--wk-',
  )

/** Sets the kit's own colours on its outermost elements, by the system's scheme. */
export const tokensCss = `@layer wallet-kit{.wk-scope{${internal(palettes.light)}}@media (prefers-color-scheme:dark){.wk-scope{${internal(palettes.dark)}}}}`
