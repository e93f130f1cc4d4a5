import { createTheme, type Theme } from '@mui/material/styles'
import { fontVariable } from './scriptFonts.ts'

export type WalletKitThemeOptions = {
  /** Colours of what can be acted on. */
  accent?: { light: string; dark: string }
  /** Corner radius in pixels. */
  radius?: number
  /** Default: the system's faces for the language on screen. */
  fontFamily?: string
  /** One scheme for good, or both, chosen by a selector such as `class` or `[data-theme="%s"]`; by default the system's. */
  colorScheme?: 'light' | 'dark' | 'media' | 'class' | 'data' | (string & {})
}

/**
 * The kit's own theme: ink on paper, one accent, light and dark. A page without an MUI theme gets it by itself; a host
 * that has one keeps its own.
 *
 * @example
 * ```tsx
 * const theme = createWalletKitTheme({ accent: { light: '#3451B2', dark: '#9DB1FF' }, colorScheme: 'class' })
 * <WalletKitProvider kit={kit} theme={theme}>…</WalletKitProvider>
 * ```
 * @see https://mui.com/material-ui/customization/css-theme-variables/overview/
 */
export function createWalletKitTheme(options: WalletKitThemeOptions = {}): Theme {
  const {
    accent = { light: '#0B7A63', dark: '#45D0AE' },
    radius = 12,
    fontFamily = `var(${fontVariable}, system-ui, sans-serif)`,
    colorScheme = 'media',
  } = options
  const light = {
    palette: {
      primary: { main: accent.light, contrastText: '#FFFFFF' },
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
      primary: { main: accent.dark, contrastText: '#0C1512' },
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
    cssVariables: { cssVarPrefix: 'wallet-kit', colorSchemeSelector: only ? 'media' : colorScheme },
    colorSchemes: only ? { [only]: { light, dark }[only] } : { light, dark },
    defaultColorScheme: only ?? 'light',
    shape: { borderRadius: radius },
    focusVisible: true,
    typography: { fontFamily, button: { textTransform: 'none', fontWeight: 500 } },
    components: {
      MuiButton: { defaultProps: { disableElevation: true } },
      MuiButtonBase: { defaultProps: { disableRipple: true } },
    },
  })
}
