import { createTheme, type Theme } from '@mui/material/styles'
import { findReadable } from './accent.ts'
import { fontVariable } from './scriptFonts.ts'

export type WalletKitThemeOptions = {
  /**
   * Colour of what can be acted on, for one scheme each or for both, as hex, `rgb()` or `hsl()`. What is written on it is
   * black or white, whichever can be read.
   */
  accent?: string | { light: string; dark: string }
  /** Corner radius in pixels; of a dialog 4 more. Default: 12. */
  radius?: number
  /** Colour of what lies between the page and a dialog. Default: ink at 40 %. */
  overlay?: string
  /** Default: the system's faces for the language on screen. */
  fontFamily?: string
  /** One scheme for good, or both, chosen by a selector such as `class` or `[data-theme="%s"]`; by default the system's. */
  colorScheme?: 'light' | 'dark' | 'media' | 'class' | 'data' | (string & {})
  /** Of the theme's CSS variables. Two themes that differ on one page each need one. Default: `wallet-kit`. */
  cssVarPrefix?: string
}

/**
 * The kit's own theme: ink on paper, one accent, light and dark. A page without an MUI theme gets it by itself; a host
 * that has one keeps its own.
 *
 * @example
 * ```tsx
 * const theme = createWalletKitTheme({ accent: { light: '#3451B2', dark: '#9DB1FF' }, radius: 8, colorScheme: 'class' })
 * <WalletKitProvider kit={kit} theme={theme}>…</WalletKitProvider>
 * ```
 * @see https://mui.com/material-ui/customization/css-theme-variables/overview/
 */
export function createWalletKitTheme(options: WalletKitThemeOptions = {}): Theme {
  return createOwnTheme(options, 'variables')
}

/**
 * With `variables` a page that has no script yet, as a server sends it, is right in both schemes. To make and to parse them
 * takes longer than the rest of the button: `literal` is for a page that is drawn here.
 */
export function createOwnTheme(options: WalletKitThemeOptions, colours: 'variables' | 'literal'): Theme {
  const {
    accent = { light: '#0B7A63', dark: '#45D0AE' },
    overlay = 'rgba(12, 14, 17, 0.4)',
    cssVarPrefix = 'wallet-kit',
    radius = 12,
    fontFamily = `var(${fontVariable}, system-ui, sans-serif)`,
    colorScheme = 'media',
  } = options
  const accents = typeof accent === 'string' ? { light: accent, dark: accent } : accent
  const light = {
    palette: {
      primary: primaryOf(accents.light),
      error: { main: '#B3341F' },
      warning: { main: '#8A5A00' },
      background: { default: '#FBFAF7', paper: '#FBFAF7' },
      text: { primary: '#15181D', secondary: 'rgba(21, 24, 29, 0.64)' },
      divider: 'rgba(21, 24, 29, 0.1)',
      action: { hover: 'rgba(21, 24, 29, 0.04)', selected: 'rgba(21, 24, 29, 0.06)' },
    },
  }
  const dark = {
    palette: {
      primary: primaryOf(accents.dark),
      error: { main: '#F08A72' },
      warning: { main: '#E5B45A' },
      background: { default: '#121417', paper: '#1A1D21' },
      text: { primary: '#E9E6DF', secondary: 'rgba(233, 230, 223, 0.64)' },
      divider: 'rgba(233, 230, 223, 0.12)',
      action: { hover: 'rgba(233, 230, 223, 0.05)', selected: 'rgba(233, 230, 223, 0.08)' },
    },
  }
  const only: 'light' | 'dark' | undefined =
    colorScheme === 'light' || colorScheme === 'dark' ? (colorScheme as 'light' | 'dark') : undefined
  return createTheme({
    cssVariables: colours === 'variables' && { cssVarPrefix, colorSchemeSelector: only ? 'media' : colorScheme },
    colorSchemes: only ? { [only]: { light, dark }[only] } : { light, dark },
    defaultColorScheme: only ?? 'light',
    shape: { borderRadius: radius },
    focusVisible: true,
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
}

/** One of these can be read on any colour: they differ by 21 : 1. */
const primaryOf = (main: string) => ({ main, contrastText: findReadable(main, ['#FFFFFF', '#0C1512', '#000000']) })
