import type { i18n } from 'i18next'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from './i18n.ts'
import { type LazyTexts, lazyTexts } from './lazyTexts.ts'

/** Keyed by the store: `useTranslation` wraps the instance in a new object for each component. */
const loading = new WeakMap<i18n['store'], Map<string, Promise<void>>>()

/** Loads a namespace of texts in the page's language. A failure is retried on the next call. */
export function loadNamespace(instance: i18n, name: keyof LazyTexts): Promise<void> {
  const language = instance.language as Language
  const key = `${name} ${language}`
  const known = loading.get(instance.store) ?? new Map<string, Promise<void>>()
  loading.set(instance.store, known)
  const promise =
    known.get(key) ??
    lazyTexts[name][language]().then(({ default: texts }) => void instance.addResourceBundle(language, name, texts))
  known.set(key, promise)
  promise.then(
    // Lets `use` read a loaded promise without suspending. https://react.dev/reference/react/use
    () => Object.assign(promise, { status: 'fulfilled', value: undefined }),
    // A failed import is retried on the next call.
    () => known.delete(key),
  )
  return promise
}

/** Returns the texts of a namespace, like `useTranslation`; suspends until they have loaded. */
export function useLazyTranslation<name extends keyof LazyTexts>(name: name) {
  const { i18n } = useTranslation()
  use(loadNamespace(i18n, name))
  return useTranslation(name)
}
