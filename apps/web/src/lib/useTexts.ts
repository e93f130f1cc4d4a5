import type { i18n } from 'i18next'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import type labelsZhCN from '../locales/labels/zh-CN.ts'
import type searchZhCN from '../locales/search/zh-CN.ts'
import type { Language } from './i18n.ts'

type File<texts> = () => Promise<{ default: { [key in keyof texts]: string } }>
type LaterTexts = { labels: typeof labelsZhCN; search: typeof searchZhCN }

/** Texts that come with what shows them. */
const load: { [name in keyof LaterTexts]: Record<Language, File<LaterTexts[name]>> } = {
  labels: {
    'zh-CN': () => import('../locales/labels/zh-CN.ts'),
    'zh-TW': () => import('../locales/labels/zh-TW.ts'),
    en: () => import('../locales/labels/en.ts'),
  },
  search: {
    'zh-CN': () => import('../locales/search/zh-CN.ts'),
    'zh-TW': () => import('../locales/search/zh-TW.ts'),
    en: () => import('../locales/search/en.ts'),
  },
}

/** By where the texts go: `useTranslation` hands every component an object of its own around the one instance. */
const loading = new WeakMap<i18n['store'], Map<string, Promise<void>>>()

/** Loads texts in the language of the page. */
export function loadTexts(instance: i18n, name: keyof LaterTexts): Promise<void> {
  const language = instance.language as Language
  const key = `${name} ${language}`
  const known = loading.get(instance.store) ?? new Map<string, Promise<void>>()
  loading.set(instance.store, known)
  const promise =
    known.get(key) ??
    load[name][language]().then(({ default: texts }) => void instance.addResourceBundle(language, name, texts))
  known.set(key, promise)
  promise.then(
    // React then shows at once what nobody has waited for. https://react.dev/reference/react/use
    () => Object.assign(promise, { status: 'fulfilled', value: undefined }),
    // What could not be loaded is tried again.
    () => known.delete(key),
  )
  return promise
}

/** As `useTranslation`, waiting for the texts. */
export function useTexts<name extends keyof LaterTexts>(name: name) {
  const { i18n } = useTranslation()
  use(loadTexts(i18n, name))
  return useTranslation(name)
}
