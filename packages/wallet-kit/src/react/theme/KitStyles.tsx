import createCache from '@emotion/cache'
import { __unsafe_useEmotionCache, CacheProvider, type CSSObject, ThemeContext } from '@emotion/react'
import DefaultPropsProvider from '@mui/material/DefaultPropsProvider'
import type { Theme } from '@mui/material/styles'
import { type ComponentProps, type ReactNode, useContext, useMemo } from 'react'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { createVariables } from './createVariables.ts'

/** Returns whether the surrounding page has an MUI theme, which the kit then inherits. */
export function useHasHostTheme(): boolean {
  const theme = useContext(ThemeContext)
  return 'palette' in theme || '$$material' in theme
}

/** Applies theme and style nonce only to the kit's components, not to the app around them. */
export function KitStyles({ children }: { children: ReactNode }) {
  const { kit, theme } = useWalletKitContext()
  const nonce = kit?.config.nonce
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
function KitTheme({ theme, children }: { theme: Theme; children: ReactNode }) {
  return (
    <ThemeContext.Provider value={theme}>
      <DefaultPropsProvider value={theme.components as Defaults}>{children}</DefaultPropsProvider>
    </ThemeContext.Provider>
  )
}
