import { useEffect, useState } from 'react'
import { whenIdle } from '../core/whenIdle.ts'
import { loadMessages } from '../locales/loadMessages.ts'
import type { Locale, Translation } from '../locales/locales.ts'

/** What the button has to say once a wallet is connected, loaded when it is needed; until then, the language before or nothing. */
export function useLateMessages(locale: Locale, isNeeded: boolean): Partial<Translation> {
  const [messages, setMessages] = useState<Partial<Translation>>({})
  useEffect(() => {
    if (!isNeeded) return
    let isCurrent = true
    whenIdle(() => {
      if (!isCurrent) return
      loadMessages(locale).then(
        (loaded) => isCurrent && setMessages(loaded),
        // What was there says it, or nothing does; the dialogs try again.
        () => undefined,
      )
    })
    return () => {
      isCurrent = false
    }
  }, [locale, isNeeded])
  return messages
}
