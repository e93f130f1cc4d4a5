import createCache from '@emotion/cache'
import { __unsafe_useEmotionCache, CacheProvider, ThemeContext } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import { type ReactNode, useContext, useMemo } from 'react'
import { useKitContext } from './context.ts'

/** Whether the page around has an MUI theme, which the kit then keeps. */
export function useHasHostTheme(): boolean {
  const theme = useContext(ThemeContext)
  return 'palette' in theme || '$$material' in theme
}

export type KitStylesProps = {
  children: ReactNode
  /** Puts the theme's CSS variables into the page. Once a provider is enough. */
  withVariables?: boolean
}

/** The theme and the style nonce, laid around the kit's own pieces only: what the host puts beside them is not touched. */
export function KitStyles({ children, withVariables = false }: KitStylesProps) {
  const { kit, theme } = useKitContext()
  const { nonce } = kit.config
  const inherited = __unsafe_useEmotionCache()
  const isHosts = inherited !== null && (inherited.key !== 'css' || inherited.nonce !== undefined)
  const cache = useMemo(
    () => (nonce && !isHosts ? createCache({ key: 'wallet-kit', nonce }) : undefined),
    [nonce, isHosts],
  )

  // ThemeProvider hands these on; its types do not say so. Which scheme a page has is the page's to say: nothing is
  // written on its root.
  const limits = { disableStyleSheetGeneration: !withVariables, colorSchemeNode: null }
  const themed = theme ? (
    <ThemeProvider theme={theme} {...limits}>
      {children}
    </ThemeProvider>
  ) : (
    children
  )
  return cache ? <CacheProvider value={cache}>{themed}</CacheProvider> : themed
}
