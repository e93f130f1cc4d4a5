import { createContext, useCallback, useContext } from 'react'
import { en, type MessageKey } from '../../locales/en.ts'
import { findCustomText } from '../../locales/findCustomText.ts'
import { translate, type Variables } from '../../locales/translate.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import type { Language } from './useLanguage.ts'

/** The language on screen. It differs from the requested one while that is loading. */
export const LanguageContext = createContext<Language>({ locale: 'en', messages: en })

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
