import createCache from '@emotion/cache'
import { __unsafe_useEmotionCache, CacheProvider, Global, ThemeContext } from '@emotion/react'
import DefaultPropsProvider from '@mui/material/DefaultPropsProvider'
import type { CssVarsTheme, Theme } from '@mui/material/styles'
import { type ComponentProps, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react'
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

  const themed = theme ? (
    <KitTheme theme={theme} withVariables={withVariables}>
      {children}
    </KitTheme>
  ) : (
    children
  )
  return cache ? <CacheProvider value={cache}>{themed}</CacheProvider> : themed
}

/** A theme has them or not; MUI's types know only of those without. */
type Variables = Partial<Pick<CssVarsTheme, 'colorSchemes' | 'generateStyleSheets'>>

/** Also a theme's `components` will do, by which MUI's own `ThemeProvider` gives them. */
type Defaults = ComponentProps<typeof DefaultPropsProvider>['value']

/**
 * What MUI's `ThemeProvider` does for the kit's pieces, without its keeping of a colour scheme, which weighs more than the
 * button: which scheme a page has is the page's to say, and nothing is written on its root.
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

/**
 * A theme in the colours to show. With variables the page's CSS chooses; else the system does, and before it MUI's keys if
 * these count. One object for all who show it: MUI keeps what it makes of a theme.
 */
export function useShownTheme(theme: Theme | undefined, chosenBy: 'keys' | 'system'): Theme | undefined {
  const hasKeys = chosenBy === 'keys'
  const name = useSyncExternalStore(
    hasKeys ? followScheme : followSystem,
    hasKeys ? readScheme : readSystem,
    () => 'light',
  )
  return useMemo(() => {
    const { colorSchemes } = (theme ?? {}) as Variables
    const scheme = theme?.vars ? undefined : colorSchemes?.[name as 'light' | 'dark']
    return theme && scheme ? { ...theme, ...scheme } : theme
  }, [theme, name])
}

const dark = '(prefers-color-scheme: dark)'

/** By the keys in which MUI keeps a person's choice, else the system's. */
function readScheme(): string {
  const chosen = read('mui-mode')
  const mode = chosen === 'light' || chosen === 'dark' ? chosen : readSystem()
  return read(`mui-color-scheme-${mode}`) ?? mode
}

const readSystem = () => (window.matchMedia?.(dark).matches ? 'dark' : 'light')

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function followScheme(listener: () => void): () => void {
  const unfollow = followSystem(listener)
  // Chosen in another tab.
  window.addEventListener('storage', listener)
  return () => {
    unfollow()
    window.removeEventListener('storage', listener)
  }
}

function followSystem(listener: () => void): () => void {
  const query = window.matchMedia?.(dark)
  query?.addEventListener('change', listener)
  return () => query?.removeEventListener('change', listener)
}
