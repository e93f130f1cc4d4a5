import { createContext, useCallback, useContext } from 'react'
import { en, type MessageKey } from '../locales/en.ts'
import { translate } from '../locales/translate.ts'
import { useKitContext } from './context.ts'

/** Messages of the language on screen; English until another has come. */
export const MessagesContext = createContext<Partial<Record<MessageKey, string>>>(en)

export type Translate = (key: MessageKey, variables?: Record<string, string>) => string

/** The host's text, else the language's, else English. */
export function useTranslate(): Translate {
  const { messages } = useKitContext()
  const language = useContext(MessagesContext)
  return useCallback(
    (key, variables) => translate(messages[key] ?? language[key] ?? en[key], variables),
    [messages, language],
  )
}
