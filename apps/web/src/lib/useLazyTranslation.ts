import type { i18n } from 'i18next'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import type alertsZhCN from '../locales/alerts/zh-CN.ts'
import type communitiesZhCN from '../locales/communities/zh-CN.ts'
import type compareZhCN from '../locales/compare/zh-CN.ts'
import type filtersZhCN from '../locales/filters/zh-CN.ts'
import type historyZhCN from '../locales/history/zh-CN.ts'
import type labelsZhCN from '../locales/labels/zh-CN.ts'
import type mapZhCN from '../locales/map/zh-CN.ts'
import type relationZhCN from '../locales/relation/zh-CN.ts'
import type searchZhCN from '../locales/search/zh-CN.ts'
import type shareZhCN from '../locales/share/zh-CN.ts'
import type { Language } from './i18n.ts'

type File<texts> = () => Promise<{ default: { [key in keyof texts]: string } }>
type LazyTexts = {
  alerts: typeof alertsZhCN
  communities: typeof communitiesZhCN
  compare: typeof compareZhCN
  filters: typeof filtersZhCN
  history: typeof historyZhCN
  labels: typeof labelsZhCN
  map: typeof mapZhCN
  relation: typeof relationZhCN
  search: typeof searchZhCN
  share: typeof shareZhCN
}

/** Imports of the texts that load together with the components that show them. */
const load: { [name in keyof LazyTexts]: Record<Language, File<LazyTexts[name]>> } = {
  alerts: {
    'zh-CN': () => import('../locales/alerts/zh-CN.ts'),
    'zh-TW': () => import('../locales/alerts/zh-TW.ts'),
    en: () => import('../locales/alerts/en.ts'),
  },
  communities: {
    'zh-CN': () => import('../locales/communities/zh-CN.ts'),
    'zh-TW': () => import('../locales/communities/zh-TW.ts'),
    en: () => import('../locales/communities/en.ts'),
  },
  compare: {
    'zh-CN': () => import('../locales/compare/zh-CN.ts'),
    'zh-TW': () => import('../locales/compare/zh-TW.ts'),
    en: () => import('../locales/compare/en.ts'),
  },
  filters: {
    'zh-CN': () => import('../locales/filters/zh-CN.ts'),
    'zh-TW': () => import('../locales/filters/zh-TW.ts'),
    en: () => import('../locales/filters/en.ts'),
  },
  history: {
    'zh-CN': () => import('../locales/history/zh-CN.ts'),
    'zh-TW': () => import('../locales/history/zh-TW.ts'),
    en: () => import('../locales/history/en.ts'),
  },
  labels: {
    'zh-CN': () => import('../locales/labels/zh-CN.ts'),
    'zh-TW': () => import('../locales/labels/zh-TW.ts'),
    en: () => import('../locales/labels/en.ts'),
  },
  map: {
    'zh-CN': () => import('../locales/map/zh-CN.ts'),
    'zh-TW': () => import('../locales/map/zh-TW.ts'),
    en: () => import('../locales/map/en.ts'),
  },
  relation: {
    'zh-CN': () => import('../locales/relation/zh-CN.ts'),
    'zh-TW': () => import('../locales/relation/zh-TW.ts'),
    en: () => import('../locales/relation/en.ts'),
  },
  search: {
    'zh-CN': () => import('../locales/search/zh-CN.ts'),
    'zh-TW': () => import('../locales/search/zh-TW.ts'),
    en: () => import('../locales/search/en.ts'),
  },
  share: {
    'zh-CN': () => import('../locales/share/zh-CN.ts'),
    'zh-TW': () => import('../locales/share/zh-TW.ts'),
    en: () => import('../locales/share/en.ts'),
  },
}

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
    load[name][language]().then(({ default: texts }) => void instance.addResourceBundle(language, name, texts))
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
