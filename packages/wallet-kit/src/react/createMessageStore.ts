import { en } from '../locales/en.ts'
import { loadMessages } from '../locales/loadMessages.ts'
import type { Locale, Translation } from '../locales/locales.ts'

/** A language with all its texts. */
export type Language = { locale: Locale; messages: Translation }

export type MessageStore = {
  /** The language on screen; `undefined` until the first has come. */
  getState: () => Language | undefined
  subscribe: (listener: () => void) => () => void
  /**
   * Brings a language on screen. While it is on its way the last one stays; of several choices the last one wins, however
   * slow the others are. One that could not be loaded leaves what is there, and is loaded again when it is chosen again.
   */
  choose: (locale: Locale) => void
}

export function createMessageStore(
  load: (locale: Locale) => Promise<Language['messages']> = loadMessages,
): MessageStore {
  const english: Language = { locale: 'en', messages: en }
  const listeners = new Set<() => void>()
  let shown: Language | undefined
  let choice: { locale: Locale } | undefined

  const show = (language: Language) => {
    shown = language
    for (const listener of listeners) listener()
  }

  return {
    getState: () => shown,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    choose: (locale) => {
      if (choice?.locale === locale) return
      const own = { locale }
      choice = own
      // It came with the dialogs.
      if (locale === 'en') return show(english)
      load(locale).then(
        (messages) => {
          if (choice === own) show({ locale, messages })
        },
        () => {
          if (choice !== own) return
          choice = undefined
          // A dialog in English is better than none.
          if (!shown) show(english)
        },
      )
    },
  }
}
