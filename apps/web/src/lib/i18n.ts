import { findLanguage, type Language, languageCookie } from '@lineage/referral-api/language'
import { createContext, createElement, type ReactNode, use, useMemo, useSyncExternalStore } from 'react'
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

/** The texts that load first, and the groups of later ones. */
type Texts = typeof zhCNLater & { first: typeof zhCN }
type Group = keyof Texts
/** Values for the `{{name}}` placeholders of a text. `count` also selects the singular. */
type Values = Readonly<Record<string, string | number | null | undefined>>
/** Returns the text of a key, with values in its placeholders. */
export type Translate<group extends Group = 'first'> = (key: keyof Texts[group] & string, values?: Values) => string

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

/** The texts of a page. */
export type I18n = ReturnType<typeof createTexts>

/** Creates the texts of a page, with those of `language` that load first. */
export async function createI18n(language: Language): Promise<I18n> {
  const { default: messages } = await loadFirst[language]()
  const i18n = createTexts(language)
  i18n.add({ first: messages })
  i18n.choose(language)
  return i18n
}

function createTexts(initial: Language) {
  let language = initial
  const texts = new Map<string, Record<string, string>>()
  const translations = new Map<string, (key: string, values?: Values) => string>()
  const listeners = new Set<() => void>()
  const nameOf = (group: Group) => `${language} ${group}`
  return {
    get language() {
      return language
    },
    /** Groups of later texts that components have asked for. */
    used: new Set<Namespace>(),
    /** Counts the choices of a language. */
    choices: 0,
    /** Loading of the later texts, by language. */
    later: new Map<Language, Promise<void>>(),
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Adds groups of texts in a language. */
    add(groups: { [name in Group]?: Record<string, string> }, of = language) {
      for (const [name, group] of Object.entries(groups)) texts.set(`${of} ${name}`, group)
    },
    find: (group: Group) => texts.get(nameOf(group)),
    /** Returns the function that translates with the texts of a group in the page's language, always the same one. */
    translation<group extends Group>(group: group): Translate<group> {
      const own = texts.get(nameOf(group))
      const known =
        translations.get(nameOf(group)) ?? createTranslate(language, own, texts.get(nameOf('first'))?.unknown)
      if (own) translations.set(nameOf(group), known)
      return known
    },
    /** Makes a language, whose first texts have been added, that of the page. */
    choose(chosen: Language) {
      language = chosen
      if (typeof document !== 'undefined') document.documentElement.lang = chosen
      for (const listener of listeners) listener()
    },
  }
}

/**
 * Creates the function that finds a text and fills its placeholders. A key without one, such as that of a value which a later server
 * added, has the text `unknown`.
 */
function createTranslate(language: Language, texts: Record<string, string> = {}, unknown?: string) {
  const space = language.startsWith('zh') ? spaceScripts : (text: string) => text
  const plain = new Map<string, string>()
  return (key: string, values?: Values): string => {
    if (values) {
      const text = (values.count === 1 ? texts[`${key}_one`] : undefined) ?? texts[key] ?? unknown ?? key
      return space(text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? '')))
    }
    const text = plain.get(key) ?? space(texts[key] ?? unknown ?? key)
    plain.set(key, text)
    return text
  }
}

/**
 * Changes the language and stores the choice. Of two concurrent calls the later one wins.
 *
 * @throws when the texts cannot be loaded; the language stays
 */
export async function chooseLanguage(i18n: I18n, language: Language, load = loadFirst[language]): Promise<void> {
  i18n.choices += 1
  const choice = i18n.choices
  const { default: messages } = await load()
  if (i18n.choices !== choice) return
  i18n.add({ first: messages }, language)
  i18n.choose(language)
  writeCookie(language)
}

/** Loads the later texts in the page's language. A failure is retried on the next call. */
export function loadLaterTexts(i18n: I18n): Promise<void> {
  const { language, later } = i18n
  const promise =
    later.get(language) ?? loadLater[language]().then(({ default: texts }) => i18n.add(texts as LaterTexts, language))
  later.set(language, promise)
  promise.then(
    // Lets `use` read a loaded promise without suspending. https://react.dev/reference/react/use
    () => Object.assign(promise, { status: 'fulfilled', value: undefined }),
    () => later.delete(language),
  )
  return promise
}

/** A promise that `use` reads without suspending. */
const loaded = Object.assign(Promise.resolve(), { status: 'fulfilled', value: undefined })

/** Groups of later texts. */
export type LaterTexts = { [name in Namespace]?: Record<string, string> }

/** Returns the groups of later texts that components have asked for. */
export const usedLaterTexts = (i18n: I18n): LaterTexts =>
  Object.fromEntries([...i18n.used].map((name) => [name, i18n.find(name)]))

type Translation<group extends Group> = { t: Translate<group>; i18n: I18n }

const I18nContext = createContext<Translation<'first'> | undefined>(undefined)

/** Provides the texts of a page, and renders it again in another language when one is chosen. */
export function I18nProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  const readLanguage = () => i18n.language
  const language = useSyncExternalStore(i18n.subscribe, readLanguage, readLanguage)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are those of the language
  const value = useMemo(() => ({ t: i18n.translation('first'), i18n }), [i18n, language])
  return createElement(I18nContext, { value }, children)
}

/** Returns the texts that load first, in the page's language. */
export function useTranslation(): Translation<'first'> {
  const translation = use(I18nContext)
  if (!translation) throw new Error('useTranslation is used outside of Providers.')
  return translation
}

/** Returns the texts of a group, like `useTranslation`; suspends until they have loaded. A failure reaches the error boundary. */
export function useLazyTranslation<name extends Namespace>(name: name): Translation<name> {
  const { i18n } = useTranslation()
  i18n.used.add(name)
  // Always called, because React renders a suspended component again with the same hooks.
  use(i18n.find(name) ? loaded : loadLaterTexts(i18n))
  return { t: i18n.translation(name), i18n }
}
