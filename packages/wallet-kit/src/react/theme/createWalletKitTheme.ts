import { createTheme, getContrastRatio, type Theme } from '@mui/material/styles'

/** CSS variable with the font of the kit's own theme. */
export const fontVariable = '--wallet-kit-sans'

/** Font of addresses. */
export const monospace = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'

/** Changes that `createWalletKitTheme` makes to the kit's own theme. */
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
  /** Prefix of the theme's CSS variables. Default: `wallet-kit`. */
  cssVarPrefix?: string | undefined
}

/**
 * Creates the kit's own theme with changes: ink on paper, one accent, light and dark. A page without an MUI theme uses
 * the default one; a page with an MUI theme keeps its own.
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
 * @see https://mui.com/material-ui/customization/css-theme-variables/overview/
 */
export function createWalletKitTheme(options: WalletKitThemeOptions = {}): Theme {
  return createKitTheme(options, 'variables')
}

/**
 * Creates the theme with CSS variables or literal colours. HTML from a server needs variables to suit both schemes before
 * any script runs; they cost more time than the rest of the button, so pages rendered in the browser use literals.
 */
export function createKitTheme(options: WalletKitThemeOptions, colours: 'variables' | 'literal'): Theme {
  const {
    accent = { light: '#0B7A63', dark: '#45D0AE' },
    overlay = 'rgba(12, 14, 17, 0.4)',
    cssVarPrefix = 'wallet-kit',
    radius = 12,
    fontFamily = `var(${fontVariable}, system-ui, sans-serif)`,
    colorScheme = 'media',
  } = options
  const accents = typeof accent === 'string' ? { light: accent, dark: accent } : accent
  const light = { palette: { ...palettes.light, primary: primaryOf(accents.light) } }
  const dark = { palette: { ...palettes.dark, primary: primaryOf(accents.dark) } }
  const only: 'light' | 'dark' | undefined =
    colorScheme === 'light' || colorScheme === 'dark' ? (colorScheme as 'light' | 'dark') : undefined
  const variables = { cssVarPrefix, colorSchemeSelector: only ? 'media' : colorScheme, shouldSkipGeneratingVar }
  const theme = createTheme({
    cssVariables: colours === 'variables' && variables,
    colorSchemes: only ? { [only]: { light, dark }[only] } : { light, dark },
    defaultColorScheme: only ?? 'light',
    shape: { borderRadius: radius },
    typography: { fontFamily, button: { textTransform: 'none', fontWeight: 500 } },
    components: {
      MuiButton: { defaultProps: { disableElevation: true } },
      MuiButtonBase: { defaultProps: { disableRipple: true } },
      MuiBackdrop: { styleOverrides: { root: { backgroundColor: overlay } } },
      MuiDialog: {
        styleOverrides: {
          paper: { borderRadius: radius + 4, backgroundImage: 'none', boxShadow: '0 16px 48px rgba(12, 14, 17, 0.2)' },
        },
      },
    },
  })
  if (theme.vars) completeVariables(theme)
  return theme
}

const palettes = {
  light: {
    error: { main: '#B3341F' },
    warning: { main: '#8A5A00' },
    background: { default: '#FBFAF7', paper: '#FBFAF7' },
    text: { primary: '#15181D', secondary: 'rgba(21, 24, 29, 0.64)' },
    divider: 'rgba(21, 24, 29, 0.1)',
    action: { hover: 'rgba(21, 24, 29, 0.04)', selected: 'rgba(21, 24, 29, 0.06)' },
  },
  dark: {
    error: { main: '#F08A72' },
    warning: { main: '#E5B45A' },
    background: { default: '#121417', paper: '#1A1D21' },
    text: { primary: '#E9E6DF', secondary: 'rgba(233, 230, 223, 0.64)' },
    divider: 'rgba(233, 230, 223, 0.12)',
    action: { hover: 'rgba(233, 230, 223, 0.05)', selected: 'rgba(233, 230, 223, 0.08)' },
  },
}

/** Colours that differ by scheme and are used. All of MUI's variables would add 25 kB to each server-rendered page. */
const shown =
  /^palette,((primary|error|warning),(main(Channel)?|dark|contrastText)|text,(primary(Channel)?|secondary|disabled)|background,paper|divider|action,(hover(Opacity)?|selected|disabled(Background)?))$/

const shouldSkipGeneratingVar = (path: string[]) => !shown.test(path.join())

/** Sets literal values for everything without a variable, because MUI reads only `theme.vars` if it exists. */
function completeVariables(theme: Theme): void {
  const palette: Record<string, unknown> = { ...theme.palette }
  for (const [name, variable] of Object.entries(theme.vars?.palette ?? {}))
    palette[name] = typeof variable === 'string' ? variable : { ...Object(palette[name]), ...variable }
  Object.assign(theme, { vars: { ...theme, palette } })
}

/** Returns a colour with white or black text: one of them is readable on any colour. */
const primaryOf = (main: string) => ({ main, contrastText: findReadable(main, ['#FFFFFF', '#0C1512', '#000000']) })

/** Contrast that WCAG 2.2 requires for text at level AA. */
export const minContrast = 4.5

/** Returns the first of the text colours that is readable on `color`. */
function findReadable(color: string, texts: readonly string[]): string | undefined {
  return texts.find((text) => getContrastRatio(text, color) >= minContrast)
}
