import type { Locale, PluralForms } from './locales.ts'

/** Values for the marks of a message. A number is written as the language does, and `count` chooses the plural form. */
export type Variables = Record<string, string | number>

/**
 * Puts `variables` in the places of a message that are marked `{name}`; a mark without a value stays as it is. What is put
 * into a right-to-left text keeps its own direction.
 *
 * @see https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
export function translate(message: string | PluralForms, locale: Locale, variables: Variables = {}): string {
  const count = Number(variables.count)
  const text =
    typeof message === 'string' ? message : (message[new Intl.PluralRules(locale).select(count)] ?? message.other)
  return text.replace(/\{(\w+)\}/g, (mark, name: string) => {
    const value = variables[name]
    if (value === undefined) return mark
    if (typeof value === 'number') return new Intl.NumberFormat(locale).format(value)
    return directionOf(locale) === 'rtl' ? `\u2068${value}\u2069` : value
  })
}

/** Which way a language is written. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')
