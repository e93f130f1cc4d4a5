import type { Theme } from '@mui/material/styles'
import { findReadableShade } from '../react/theme/colors.ts'
import { toTheme, type WalletKitTheme } from '../react/theme/createWalletKitTheme.ts'
import type { Tokens } from '../react/theme/tokens.ts'

/**
 * Returns the kit's theme in the colours, the shape and the font of an MUI theme, version 7 or 9. With CSS variables it follows
 * the app's colour schemes; without them it has the scheme of the theme, so pass that of MUI's `useTheme()`.
 *
 * @param theme - The app's theme.
 * @param tokens - Custom properties of the kit that differ from it, without their prefix.
 * @example
 * ```tsx
 * import { createTheme } from '@mui/material/styles'
 *
 * const theme = themeFromMui(createTheme({ cssVariables: true, colorSchemes: { light: true, dark: true } }))
 * export const App = ({ kit }: { kit: WalletKit }) => <WalletKitProvider kit={kit} theme={theme} />
 * ```
 * @see https://mui.com/material-ui/customization/theming/
 */
export function themeFromMui(theme: Theme, tokens: Tokens = {}): WalletKitTheme {
  const { vars, colorSchemes = {}, defaultColorScheme, getColorSchemeSelector } = theme as ThemeOfSchemes
  const rules: [selector: string, Tokens][] = [
    ['&', { ...shapeOf(theme), ...coloursOf((vars ?? theme).palette), ...readable(theme.palette), ...tokens }],
  ]
  // The variables change by themselves, but not the readable shade of the accent.
  for (const [name, scheme] of Object.entries(vars ? colorSchemes : {}))
    if (scheme && name !== defaultColorScheme && getColorSchemeSelector)
      rules.push([getColorSchemeSelector(name), { ...readable(scheme.palette), ...tokens }])
  return toTheme(rules)

  function readable({ mode, primary, background }: Palette): Tokens {
    const shade = findReadableShade(primary.main, background.paper)
    const own = shade === primary.main ? (vars ?? theme).palette.primary.main : shade
    return { 'accent-on-paper': own, 'color-scheme': mode }
  }
}

type Palette = Theme['palette']

/** A theme with colour schemes, which MUI's types include only if the app has declared them. */
type ThemeOfSchemes = Theme & {
  vars?: Theme
  defaultColorScheme?: string
  colorSchemes?: Record<string, { palette: Palette } | undefined>
  getColorSchemeSelector?: (name: string) => string
}

/** Returns the colours, or the CSS variables that stand for them. */
const coloursOf = ({ primary, error, warning, background, text, divider, action }: Palette): Tokens => ({
  accent: primary.main,
  'accent-text': primary.contrastText,
  'accent-hover': primary.dark,
  paper: background.paper,
  ink: text.primary,
  'ink-2': text.secondary,
  disabled: action.disabled,
  'disabled-paper': action.disabledBackground,
  line: divider,
  hover: action.hover,
  selected: action.selected,
  error: error.main,
  'error-text': error.contrastText,
  warning: warning.main,
})

/** Returns corners, texts, backdrop and shadow: also those that the theme gives MUI's own dialogs. */
function shapeOf(theme: Theme): Tokens {
  const { vars, typography, shadows, components } = theme as ThemeOfSchemes
  const radius = toLength((vars ?? theme).shape.borderRadius)
  const paper = readStyles(components?.MuiDialog?.styleOverrides?.paper)
  const backdrop = readStyles(components?.MuiBackdrop?.styleOverrides?.root)
  return {
    radius,
    'dialog-radius': paper.borderRadius === undefined ? radius : toLength(paper.borderRadius),
    ...(typography.fontFamily && { font: typography.fontFamily }),
    'letter-spacing': toLength(typography.button.letterSpacing ?? 'normal'),
    scrim: String(backdrop.backgroundColor ?? 'rgb(0 0 0 / 0.5)'),
    shadow: String(paper.boxShadow ?? shadows[24]),
  }
}

/** Returns styles of a component that the theme has written as an object. */
const readStyles = (styles: unknown): Record<string, string | number | undefined> =>
  typeof styles === 'object' && styles !== null ? (styles as Record<string, string | number>) : {}

const toLength = (value: string | number) => (typeof value === 'number' ? `${value}px` : value)
