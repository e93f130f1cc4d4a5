import createCache from '@emotion/cache'
import { __unsafe_useEmotionCache, CacheProvider, type CSSObject, ThemeContext } from '@emotion/react'
import DefaultPropsProvider from '@mui/material/DefaultPropsProvider'
import type { CssVarsTheme, Theme } from '@mui/material/styles'
import { type ComponentProps, type ReactElement, useContext, useMemo } from 'react'
import { useWalletKitContext } from '../WalletKitContext.ts'

/** Returns whether the surrounding page has an MUI theme, which the kit then inherits. */
export function useHasHostTheme(): boolean {
  const theme = useContext(ThemeContext)
  return 'palette' in theme || '$$material' in theme
}

/** Applies theme and style nonce only to the kit's components, not to the app around them. */
export function KitStyles({ children }: { children: ReactElement }) {
  const { nonce, theme } = useWalletKitContext()
  const inherited = __unsafe_useEmotionCache()
  const hasHostCache = inherited !== null && (inherited.key !== 'css' || inherited.nonce !== undefined)
  const cache = useMemo(
    () => (nonce && !hasHostCache ? createCache({ key: 'wallet-kit', nonce }) : undefined),
    [nonce, hasHostCache],
  )

  const themed = theme ? <KitTheme theme={theme}>{children}</KitTheme> : children
  return cache ? <CacheProvider value={cache}>{themed}</CacheProvider> : themed
}

/**
 * Returns the styles that each outermost element of the kit needs: the CSS variables of a theme that the app does not
 * provide.
 */
export function useVariables(): CSSObject[] | undefined {
  const { theme } = useWalletKitContext()
  return useMemo(() => theme && createVariables(theme), [theme])
}

/** Type of a theme's `components`, as passed by MUI's own `ThemeProvider`. */
type Defaults = ComponentProps<typeof DefaultPropsProvider>['value']

/**
 * Provides a theme like MUI's `ThemeProvider`, but without its colour scheme manager, which weighs more than the
 * button and writes to the page's root.
 */
function KitTheme({ theme, children }: { theme: Theme; children: ReactElement }) {
  return (
    <ThemeContext.Provider value={theme}>
      <DefaultPropsProvider value={theme.components as Defaults}>{children}</DefaultPropsProvider>
    </ThemeContext.Provider>
  )
}

/** Fields of themes with CSS variables, unknown to MUI's `Theme`. */
export type Variables = Partial<Pick<CssVarsTheme, 'colorSchemes' | 'generateStyleSheets' | 'rootSelector'>>

/**
 * Creates styles that set a theme's CSS variables and its colour scheme on the kit's own element. MUI sets them on
 * the page's root, where they would also change the app: its background, texts and form controls.
 */
function createVariables(theme: Theme): CSSObject[] | undefined {
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
