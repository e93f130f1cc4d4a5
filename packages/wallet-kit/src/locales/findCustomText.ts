import type { Locale, Messages, PluralForms } from './locales.ts'

type TextKey = Exclude<keyof Messages, Locale>

/** Returns the app's own text for a key, from the first of `sources` that has one. */
export function findCustomText(
  sources: readonly Messages[],
  locale: Locale,
  key: TextKey,
): string | PluralForms | undefined {
  for (const source of sources) {
    const text = source[locale]?.[key] ?? source[key]
    if (text !== undefined) return text
  }
}
