import type { Theme } from '@mui/material/styles'
import { useMemo, useSyncExternalStore } from 'react'
import type { Variables } from './KitStyles.tsx'

/**
 * Returns `theme` with the colours of the scheme to show. With CSS variables the page's CSS selects the scheme;
 * otherwise `chosenBy` does: the system, or MUI's storage keys before it. The object is stable, because MUI caches by
 * theme.
 */
export function useShownTheme(theme: Theme | undefined, chosenBy: 'keys' | 'system'): Theme | undefined {
  const hasKeys = chosenBy === 'keys'
  const name = useSyncExternalStore(
    hasKeys ? subscribeToScheme : subscribeToSystem,
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

/** Reads the person's choice from MUI's storage keys, or else the system's scheme. */
function readScheme(): string {
  const chosen = readItem('mui-mode')
  const mode = chosen === 'light' || chosen === 'dark' ? chosen : readSystem()
  return readItem(`mui-color-scheme-${mode}`) ?? mode
}

const readSystem = () => (window.matchMedia?.(dark).matches ? 'dark' : 'light')

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function subscribeToScheme(listener: () => void): () => void {
  const unsubscribe = subscribeToSystem(listener)
  // Fires when another tab changes the choice.
  window.addEventListener('storage', listener)
  return () => {
    unsubscribe()
    window.removeEventListener('storage', listener)
  }
}

function subscribeToSystem(listener: () => void): () => void {
  const query = window.matchMedia?.(dark)
  query?.addEventListener('change', listener)
  return () => query?.removeEventListener('change', listener)
}
