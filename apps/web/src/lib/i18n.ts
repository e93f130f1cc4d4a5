import { findLanguage, type Language, languageCookie } from '@lineage/referral-api/language'
import i18next, { type i18n } from 'i18next'
import { use } from 'react'
import { initReactI18next, useTranslation } from 'react-i18next'
import type zhCNLater from '../locales/zh-CN.later.ts'
import type zhCN from '../locales/zh-CN.ts'

/** Supported languages with their own names. */
export const languages: Record<Language, string> = { 'zh-CN': '简体中文', 'zh-TW': '繁體中文', en: 'English' }
type Translated<texts> = { [key in keyof texts]: texts[key] extends string ? string : Translated<texts[key]> }
type Load<texts> = Record<Language, () => Promise<{ default: Translated<texts> }>>
/** Name of a group of texts that load later. */
export type Namespace = keyof typeof zhCNLater

const loadFirst: Load<typeof zhCN> = {
  'zh-CN': () => import('../locales/zh-CN.ts'),
  'zh-TW': () => import('../locales/zh-TW.ts'),
  en: () => import('../locales/en.ts'),
}

const loadLater: Load<typeof zhCNLater> = {
  'zh-CN': () => import('../locales/zh-CN.later.ts'),
  'zh-TW': () => import('../locales/zh-TW.later.ts'),
  en: () => import('../locales/en.later.ts'),
}

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false
    nsSeparator: false
    resources: typeof zhCNLater & { translation: typeof zhCN }
  }
}

/** Returns the language of `?lang=`, or else the chosen one, or else Chinese. A server finds the same. */
export const initialLanguage = (search: string): Language =>
  findLanguage(
    new URLSearchParams(search).get('lang'),
    new RegExp(`(?:^|; )${languageCookie}=([\\w-]+)`).exec(document.cookie)?.[1],
  )

/** Stores the choice for a year. In a frame of another site, browsers accept only a cookie that is partitioned. */
function writeCookie(language: Language): void {
  const scope = window.location.protocol === 'https:' ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax'
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox before 140 has no Cookie Store API
  document.cookie = `${languageCookie}=${language}; Path=/; Max-Age=31536000; ${scope}`
}

/** Inserts a thin space between Chinese and Latin letters or digits. */
export const spaceScripts = (text: string): string =>
  text
    .replace(/(\p{Script=Han})([A-Za-z0-9+\-−%])/gu, '$1\u2009$2')
    .replace(/([A-Za-z0-9%])(\p{Script=Han})/gu, '$1\u2009$2')

/** Creates the i18n instance with the texts of `language`. */
export async function createI18n(language: Language): Promise<i18n> {
  const instance = i18next.createInstance()
  const { default: messages } = await loadFirst[language]()
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
export async function chooseLanguage(instance: i18n, language: Language, load = loadFirst[language]): Promise<void> {
  const choice = (choices.get(instance.store) ?? 0) + 1
  choices.set(instance.store, choice)
  const { default: messages } = await load()
  if (choices.get(instance.store) !== choice) return
  instance.addResourceBundle(language, 'translation', messages)
  await instance.changeLanguage(language)
  writeCookie(language)
}

const later = new WeakMap<i18n['store'], Map<Language, Promise<void>>>()
const used = new WeakMap<i18n['store'], Set<Namespace>>()

/** Loads the later texts in the page's language. A failure is retried on the next call. */
export function loadLaterTexts(instance: i18n): Promise<void> {
  const language = instance.language as Language
  const known = later.get(instance.store) ?? new Map<Language, Promise<void>>()
  later.set(instance.store, known)
  const promise =
    known.get(language) ??
    loadLater[language]().then(({ default: texts }) => addLaterTexts(instance, texts as LaterTexts))
  known.set(language, promise)
  promise.then(
    // Lets `use` read a loaded promise without suspending. https://react.dev/reference/react/use
    () => Object.assign(promise, { status: 'fulfilled', value: undefined }),
    () => known.delete(language),
  )
  return promise
}

/** A promise that `use` reads without suspending. */
const loaded = Object.assign(Promise.resolve(), { status: 'fulfilled', value: undefined })

/** Groups of later texts. */
export type LaterTexts = { [name in Namespace]?: Record<string, string> }

/** Adds groups of later texts in the page's language. */
export function addLaterTexts(instance: i18n, texts: LaterTexts): void {
  for (const [name, group] of Object.entries(texts)) instance.addResourceBundle(instance.language, name, group)
}

/** Returns the groups of later texts that components have asked for. */
export const usedLaterTexts = (instance: i18n): LaterTexts =>
  Object.fromEntries(
    [...(used.get(instance.store) ?? [])].map((name) => [name, instance.getResourceBundle(instance.language, name)]),
  )

/**
 * Returns the texts of a group, like `useTranslation`; suspends until they have loaded. A failure reaches the error
 * boundary, where i18next's own loading would show the keys.
 */
export function useLazyTranslation<name extends Namespace>(name: name) {
  const { i18n } = useTranslation()
  used.set(i18n.store, (used.get(i18n.store) ?? new Set()).add(name))
  // Always called, because React renders a suspended component again with the same hooks.
  use(i18n.hasResourceBundle(i18n.language, name) ? loaded : loadLaterTexts(i18n))
  return useTranslation(name)
}
