import { createContext, useCallback, useContext } from 'react'
import { en, type MessageKey } from '../locales/en.ts'
import { ownText } from '../locales/ownText.ts'
import { translate, type Variables } from '../locales/translate.ts'
import { useKitContext } from './context.ts'
import type { Language } from './createMessageStore.ts'

/** The language on screen, which is another than the one asked for while that is on its way. */
export const LanguageContext = createContext<Language>({ locale: 'en', messages: en })

export type Translate = (key: MessageKey, variables?: Variables) => string

/** The host's text, else the language's, else English. */
export function useTranslate(): Translate {
  const { messages: own } = useKitContext()
  const { locale, messages } = useContext(LanguageContext)
  return useCallback(
    (key, variables) => translate(ownText(own, locale, key) ?? messages[key] ?? en[key], locale, variables),
    [own, locale, messages],
  )
}
