import type { CSSObject } from '@emotion/react'
import type { CssVarsTheme, Theme } from '@mui/material/styles'

/** Fields of themes with CSS variables, unknown to MUI's `Theme`. */
export type Variables = Partial<Pick<CssVarsTheme, 'colorSchemes' | 'generateStyleSheets' | 'rootSelector'>>

/**
 * Creates styles that set a theme's CSS variables and its colour scheme on the kit's own element. MUI sets them on
 * the page's root, where they would also change the app: its background, texts and form controls.
 */
export function createVariables(theme: Theme): CSSObject[] | undefined {
  const { vars, generateStyleSheets, rootSelector = ':root' } = theme as Theme & Variables
  return vars && generateStyleSheets?.().map((sheet) => moveFromRoot(sheet as CSSObject, rootSelector))
}

/**
 * Rewrites selectors: `:root` becomes the element itself, and a selector of a scheme (`.dark`) applies to an element
 * around it.
 */
function moveFromRoot(sheet: CSSObject, root: string): CSSObject {
  const rules = Object.entries(sheet).map(([selector, styles]) => {
    if (selector.startsWith('@')) return [selector, moveFromRoot(styles as CSSObject, root)]
    if (selector === root) return ['&', styles]
    const [, other] = selector.split(`${root}, `)
    return other === undefined ? [around(selector), styles] : [`&, ${around(other)}`, styles]
  })
  return Object.fromEntries(rules)
}

/** With `*`, because Emotion would apply a leading `:where` to the element itself. */
const around = (selector: string) => `*:where(${selector}) &`
