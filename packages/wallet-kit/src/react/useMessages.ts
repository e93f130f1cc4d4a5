import { useEffect, useState } from 'react'
import { en, type MessageKey } from '../locales/en.ts'
import { type Locale, languages } from '../locales/locales.ts'

/**
 * The messages of a language, or `undefined` until the first have come. While another language is on its way the last
 * one stays; the last choice wins, however slow the others are.
 */
export function useMessages(locale: Locale): Record<MessageKey, string> | undefined {
  const [messages, setMessages] = useState<Record<MessageKey, string> | undefined>(locale === 'en' ? en : undefined)
  useEffect(() => {
    let isCurrent = true
    languages[locale].load().then(
      (loaded) => isCurrent && setMessages(loaded),
      // A dialog in English is better than none.
      () => isCurrent && setMessages((shown) => shown ?? en),
    )
    return () => {
      isCurrent = false
    }
  }, [locale])
  return messages
}
