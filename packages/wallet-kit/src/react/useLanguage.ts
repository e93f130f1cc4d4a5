import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Locale } from '../locales/locales.ts'
import { createMessageStore, type Language } from './createMessageStore.ts'

/**
 * The texts to show while `locale` is wanted; `undefined` until the first have come. What could not be loaded is asked for
 * again with every dialog that opens, and when the browser is back on line.
 */
export function useLanguage(locale: Locale, isOpen: boolean): Language | undefined {
  const [store] = useState(() => {
    const created = createMessageStore()
    created.choose(locale)
    return created
  })
  useEffect(() => {
    const choose = () => store.choose(locale)
    if (isOpen) choose()
    window.addEventListener('online', choose)
    return () => window.removeEventListener('online', choose)
  }, [store, locale, isOpen])
  return useSyncExternalStore(store.subscribe, store.getState)
}
