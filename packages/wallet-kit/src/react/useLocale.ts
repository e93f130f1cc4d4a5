import { useSyncExternalStore } from 'react'
import type { Locale } from '../locales/locales.ts'
import { resolveLocale } from '../locales/resolveLocale.ts'

const subscribe = (listener: () => void) => {
  window.addEventListener('languagechange', listener)
  return () => window.removeEventListener('languagechange', listener)
}

/** The kit's language: of `tag`, else of the browser; English on a server, which cannot know. */
export function useLocale(tag: string | undefined): Locale {
  const browser = useSyncExternalStore(
    subscribe,
    () => navigator.language,
    () => 'en',
  )
  return resolveLocale(tag ?? browser)
}
