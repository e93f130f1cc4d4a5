import type { MessageKey } from '../../locales/en.ts'
import { loadMessages } from '../../locales/loadMessages.ts'
import { resolveLocale } from '../../locales/resolveLocale.ts'
import { translate, type Variables } from '../../locales/translate.ts'

/** Returns a text in the story's language. */
export async function storyText(globals: { locale?: string }, key: MessageKey, variables?: Variables): Promise<string> {
  const locale = resolveLocale(globals.locale ?? 'en')
  const messages = await loadMessages(locale)
  return translate(messages[key], locale, variables)
}
