import { createContext, createElement, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { en, type MessageKey } from '../locales/en.ts'
import type { Locale, Translation } from '../locales/locales.ts'
import { findCustomText, loadMessages, translate, type Variables } from '../locales/translate.ts'
import { useWalletKitContext } from './WalletKitContext.ts'

// Part of the dialogs' own file: a fallback that needs no request.
const english: Language = { locale: 'en', messages: en }
const unset = { ...english }

/** The language on screen. It differs from the requested one while that is loading. */
export const LanguageContext = createContext<Language>(unset)

/** Provides the language on screen, if nothing around it does. Renders nothing before the first one has loaded. */
export function Translated({ children }: { children: ReactNode }): ReactNode {
  const isProvided = useContext(LanguageContext) !== unset
  return isProvided ? children : createElement(LanguageProvider, null, children)
}

function LanguageProvider({ children }: { children: ReactNode }) {
  const language = useLanguage(useWalletKitContext().locale, true)
  return language && createElement(LanguageContext.Provider, { value: language }, children)
}

export type Translate = (key: MessageKey, variables?: Variables) => string

/** Returns a function that translates a key: to the app's text, or else the language's, or else English. */
export function useTranslate(): Translate {
  const { messages: customMessages } = useWalletKitContext()
  const { locale, messages } = useContext(LanguageContext)
  return useCallback(
    (key, variables) =>
      translate(findCustomText(customMessages, locale, key) ?? messages[key] ?? en[key], locale, variables),
    [customMessages, locale, messages],
  )
}

/** A language with all its texts. */
export type Language = { locale: Locale; messages: Translation }

/**
 * Returns the language to show: the last one while `locale` is loading, `undefined` before the first one has loaded.
 * If loading fails, the last language stays (English if there was none); the kit tries again when a dialog opens and
 * when the browser comes back online.
 */
export function useLanguage(locale: Locale, isOpen: boolean, load = loadMessages): Language | undefined {
  const [shown, setShown] = useState(locale === 'en' ? english : undefined)
  const isShown = shown?.locale === locale
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed language is tried again when a dialog opens
  useEffect(() => {
    if (isShown) return
    if (locale === 'en') return setShown(english)
    let isCurrent = true
    const show = () =>
      void load(locale).then(
        (messages) => isCurrent && setShown({ locale, messages }),
        () => isCurrent && setShown((last) => last ?? english),
      )
    show()
    window.addEventListener('online', show)
    return () => {
      isCurrent = false
      window.removeEventListener('online', show)
    }
  }, [locale, isShown, isOpen, load])
  return shown
}
