import type { Locale, PluralForms } from './locales.ts'

/** Values for the `{name}` placeholders of a message. Numbers are formatted; `count` selects the plural form. */
export type Variables = Record<string, string | number>

/**
 * Fills the `{name}` placeholders of a message. Placeholders without a value stay. Values keep their own direction in
 * a right-to-left text.
 *
 * @see https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
export function translate(message: string | PluralForms, locale: Locale, variables: Variables = {}): string {
  const count = Number(variables.count)
  const text =
    typeof message === 'string' ? message : (message[new Intl.PluralRules(locale).select(count)] ?? message.other)
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = variables[name]
    if (value === undefined) return placeholder
    if (typeof value === 'number') return new Intl.NumberFormat(locale).format(value)
    return directionOf(locale) === 'rtl' ? `\u2068${value}\u2069` : value
  })
}

/** Returns the writing direction of a language. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')
