import type { i18n } from 'i18next'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../lib/i18n.ts'
import type zhCN from '../../locales/labels/zh-CN.ts'

const load: Record<Language, () => Promise<{ default: { [key in keyof typeof zhCN]: string } }>> = {
  'zh-CN': () => import('../../locales/labels/zh-CN.ts'),
  'zh-TW': () => import('../../locales/labels/zh-TW.ts'),
  en: () => import('../../locales/labels/en.ts'),
}

/** By where the texts go: `useTranslation` hands every component an object of its own around the one instance. */
const loading = new WeakMap<i18n['store'], Map<string, Promise<void>>>()

/** Texts of labels in the language of the page. */
export function loadLabelTexts(instance: i18n): Promise<void> {
  const language = instance.language as Language
  const known = loading.get(instance.store) ?? new Map<string, Promise<void>>()
  loading.set(instance.store, known)
  const promise =
    known.get(language) ??
    load[language]().then(({ default: messages }) => void instance.addResourceBundle(language, 'labels', messages))
  known.set(language, promise)
  // What could not be loaded is tried again.
  promise.catch(() => known.delete(language))
  return promise
}

/** As `useTranslation`, waiting for the texts. */
export function useLabelTexts() {
  const { i18n } = useTranslation()
  use(loadLabelTexts(i18n))
  return useTranslation('labels')
}
