import createCache from '@emotion/cache'
import { __unsafe_useEmotionCache, CacheProvider, Global, ThemeContext } from '@emotion/react'
import DefaultPropsProvider from '@mui/material/DefaultPropsProvider'
import type { CssVarsTheme, Theme } from '@mui/material/styles'
import { type ComponentProps, type ReactNode, useContext, useMemo } from 'react'
import { useWalletKitContext } from '../WalletKitContext.ts'

/** Whether the page around has an MUI theme, which the kit then inherits. */
export function useHasHostTheme(): boolean {
  const theme = useContext(ThemeContext)
  return 'palette' in theme || '$$material' in theme
}

export type KitStylesProps = {
  children: ReactNode
  /** Inserts the theme's CSS variables. Once per provider is enough. */
  withVariables?: boolean
}

/** Applies theme and style nonce to the kit's components only, not to the app's around them. */
export function KitStyles({ children, withVariables = false }: KitStylesProps) {
  const { kit, theme } = useWalletKitContext()
  const nonce = kit?.config.nonce
  const inherited = __unsafe_useEmotionCache()
  const hasHostCache = inherited !== null && (inherited.key !== 'css' || inherited.nonce !== undefined)
  const cache = useMemo(
    () => (nonce && !hasHostCache ? createCache({ key: 'wallet-kit', nonce }) : undefined),
    [nonce, hasHostCache],
  )

  const themed = theme ? (
    <KitTheme theme={theme} withVariables={withVariables}>
      {children}
    </KitTheme>
  ) : (
    children
  )
  return cache ? <CacheProvider value={cache}>{themed}</CacheProvider> : themed
}

/** Fields of themes with CSS variables, unknown to MUI's `Theme`. */
export type Variables = Partial<Pick<CssVarsTheme, 'colorSchemes' | 'generateStyleSheets'>>

/** A theme's `components` have this shape: MUI's own `ThemeProvider` passes them. */
type Defaults = ComponentProps<typeof DefaultPropsProvider>['value']

/**
 * Provides a theme as MUI's `ThemeProvider` does, without its colour scheme manager: that weighs more than the button and
 * writes to the page's root.
 */
function KitTheme({ theme, withVariables, children }: { theme: Theme } & Required<KitStylesProps>) {
  const { generateStyleSheets } = theme as Theme & Variables
  return (
    <ThemeContext.Provider value={theme}>
      <DefaultPropsProvider value={theme.components as Defaults}>
        {withVariables && theme.vars && <Global styles={generateStyleSheets?.()} />}
        {children}
      </DefaultPropsProvider>
    </ThemeContext.Provider>
  )
}
