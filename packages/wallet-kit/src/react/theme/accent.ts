import { darken, getContrastRatio, getLuminance, lighten, type Theme } from '@mui/material/styles'
import { minContrast } from './createWalletKitTheme.ts'

/** The accent for text, icons and outlines on a dialog. */
export const accent = 'var(--wallet-kit-accent)'

/**
 * Returns styles that set `accent` in a dialog. An accent that suits a button may be too faint for text: it is then
 * darkened on a light background, or lightened on a dark one, until its contrast is sufficient.
 *
 * @see https://www.w3.org/TR/WCAG22/#contrast-minimum
 */
export function accentStyles(theme: ThemeOfSchemes) {
  const { defaultColorScheme, colorSchemes = {}, vars, palette } = theme
  const themeAccent = (vars ?? theme).palette.primary.main
  const accentOf = ({ background, primary }: Colours) => {
    const readable = findReadableShade(background.paper, primary.main)
    return { '--wallet-kit-accent': readable === primary.main ? themeAccent : readable }
  }
  const others = Object.entries(vars ? colorSchemes : {}).filter(([name]) => name !== defaultColorScheme)
  return [
    accentOf(palette),
    ...others.map(([name, scheme]) => theme.applyStyles(name as 'dark', accentOf(scheme.palette))),
  ]
}

type Colours = Pick<Theme['palette'], 'background' | 'primary'>
/** A theme with colour schemes, which MUI's types include only if the app has declared them. */
type ThemeOfSchemes = Theme & { defaultColorScheme?: string; colorSchemes?: Record<string, { palette: Colours }> }

/** Returns `color` if it is readable on `paper`, otherwise the nearest readable shade. */
function findReadableShade(paper: string, color: string): string {
  try {
    const shift = getLuminance(paper) > 0.18 ? darken : lighten
    const steps = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
    const shades = steps.map((step) => (step === 0 ? color : shift(color, step)))
    return shades.find((shade) => getContrastRatio(shade, paper) >= minContrast) ?? color
  } catch {
    // MUI cannot parse the colour's notation, so keep it as the app wrote it.
    return color
  }
}
