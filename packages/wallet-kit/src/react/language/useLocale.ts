import { useSyncExternalStore } from 'react'
import type { Locale } from '../../locales/locales.ts'
import { resolveLocale } from '../../locales/resolveLocale.ts'

const subscribe = (listener: () => void) => {
  window.addEventListener('languagechange', listener)
  return () => window.removeEventListener('languagechange', listener)
}

/** Returns the kit's language for `tag`, or else for the browser's language; English on a server. */
export function useLocale(tag: string | undefined): Locale {
  const browser = useSyncExternalStore(
    subscribe,
    () => navigator.language,
    () => 'en',
  )
  return resolveLocale(tag ?? browser)
}
