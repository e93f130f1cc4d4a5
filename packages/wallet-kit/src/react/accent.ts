import { darken, getContrastRatio, getLuminance, lighten, type Theme } from '@mui/material/styles'

/** The accent as text, icon or outline on a dialog's paper. */
export const accent = 'var(--wallet-kit-accent)'

/** What contrast WCAG 2.2 asks of text at level AA. */
const enough = 4.5

/**
 * Sets `accent` in a dialog. An accent that is fine on a button may be too faint as a text: it is then darkened on light
 * paper, lightened on dark, until it can be read.
 *
 * @see https://www.w3.org/TR/WCAG22/#contrast-minimum
 */
export function accentStyles(theme: ThemeOfSchemes) {
  const { defaultColorScheme, colorSchemes = {}, vars, palette } = theme
  const own = (vars ?? theme).palette.primary.main
  const ofScheme = ({ background, primary }: Colours) => {
    const readable = readableOn(background.paper, primary.main)
    return { '--wallet-kit-accent': readable === primary.main ? own : readable }
  }
  const others = Object.entries(vars ? colorSchemes : {}).filter(([name]) => name !== defaultColorScheme)
  return [
    ofScheme(palette),
    ...others.map(([name, scheme]) => theme.applyStyles(name as 'dark', ofScheme(scheme.palette))),
  ]
}

type Colours = Pick<Theme['palette'], 'background' | 'primary'>
/** MUI's types know of schemes only where the app has declared them. */
type ThemeOfSchemes = Theme & { defaultColorScheme?: string; colorSchemes?: Record<string, { palette: Colours }> }

/** The colour itself if it can be read on `paper`, else the nearest that can. */
function readableOn(paper: string, color: string): string {
  try {
    const shift = getLuminance(paper) > 0.18 ? darken : lighten
    const steps = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
    const shades = steps.map((step) => (step === 0 ? color : shift(color, step)))
    return shades.find((shade) => getContrastRatio(shade, paper) >= enough) ?? color
  } catch {
    // A notation that MUI does not read: the host knows it.
    return color
  }
}

/** Of some texts the first that can be read on `color`. */
export function findReadable(color: string, texts: readonly string[]): string | undefined {
  return texts.find((text) => getContrastRatio(text, color) >= enough)
}
