import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type zhCN from '../locales/zh-CN.ts'
import { readStored, writeStored } from './storage.ts'

/** Supported languages with their own names. */
export const languages = { 'zh-CN': '简体中文', 'zh-TW': '繁體中文', en: 'English' } as const
export type Language = keyof typeof languages
type Messages = { [key in keyof typeof zhCN]: string }

const load: Record<Language, () => Promise<{ default: Messages }>> = {
  'zh-CN': () => import('../locales/zh-CN.ts'),
  'zh-TW': () => import('../locales/zh-TW.ts'),
  en: () => import('../locales/en.ts'),
}

const storageKey = 'lineage-language'

/**
 * Maps a language tag to a supported language.
 *
 * @example
 * toLanguage('zh-Hant-HK') // 'zh-TW'
 */
export function toLanguage(tag: string | null | undefined): Language | undefined {
  const parts = (tag ?? '').toLowerCase().split(/[-_]/)
  if (parts[0] === 'en') return 'en'
  if (parts[0] !== 'zh') return undefined
  return parts.some((part) => part === 'hant' || part === 'tw' || part === 'hk' || part === 'mo') ? 'zh-TW' : 'zh-CN'
}

/** Returns the language of `?lang=`, or else the stored one, or else Chinese. */
export const initialLanguage = (search: string): Language =>
  toLanguage(new URLSearchParams(search).get('lang')) ?? toLanguage(readStored(storageKey)) ?? 'zh-CN'

/** Inserts a thin space between Chinese and Latin letters or digits. */
export const spaceScripts = (text: string): string =>
  text
    .replace(/(\p{Script=Han})([A-Za-z0-9+\-−%])/gu, '$1\u2009$2')
    .replace(/([A-Za-z0-9%])(\p{Script=Han})/gu, '$1\u2009$2')

/** Creates the i18n instance with the texts of `language`. */
export async function createI18n(language: Language): Promise<i18n> {
  const instance = i18next.createInstance()
  const { default: messages } = await load[language]()
  await instance
    .use(initReactI18next)
    .use({
      type: 'postProcessor',
      name: 'spacing',
      process: (value: string) => (instance.language.startsWith('zh') ? spaceScripts(value) : value),
    })
    .init({
      lng: language,
      fallbackLng: false,
      keySeparator: false,
      nsSeparator: false,
      postProcess: 'spacing',
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
      resources: { [language]: { translation: messages } },
    })
  syncDocumentLanguage(instance)
  instance.on('languageChanged', () => syncDocumentLanguage(instance))
  return instance
}

const syncDocumentLanguage = (instance: i18n) => {
  if (typeof document !== 'undefined') document.documentElement.lang = instance.language
}

// Keyed by the store: `useTranslation` wraps the instance in a new object for each component.
const choices = new WeakMap<i18n['store'], number>()

/**
 * Changes the language and stores the choice. Of two concurrent calls the later one wins.
 *
 * @throws when the texts cannot be loaded; the language stays
 */
export async function chooseLanguage(
  instance: i18n,
  language: Language,
  loadNamespace = load[language],
): Promise<void> {
  const choice = (choices.get(instance.store) ?? 0) + 1
  choices.set(instance.store, choice)
  const { default: messages } = await loadNamespace()
  if (choices.get(instance.store) !== choice) return
  instance.addResourceBundle(language, 'translation', messages)
  await instance.changeLanguage(language)
  writeStored(storageKey, language)
}
