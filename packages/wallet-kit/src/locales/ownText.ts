import type { Locale, Messages, PluralForms } from './locales.ts'

type TextKey = Exclude<keyof Messages, Locale>

/** The text that a host has put in the place of the kit's own, from the first of `sources` that has one. */
export function ownText(sources: readonly Messages[], locale: Locale, key: TextKey): string | PluralForms | undefined {
  for (const source of sources) {
    const text = source[locale]?.[key] ?? source[key]
    if (text !== undefined) return text
  }
}
