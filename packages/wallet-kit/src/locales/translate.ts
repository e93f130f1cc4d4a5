import { connectWallet, type Locale, type Messages, type PluralForms, type Translation } from './locales.ts'

/** Values for the `{name}` placeholders of a message. Numbers are formatted; `count` selects the plural form. */
export type Variables = Record<string, string | number>

/**
 * Fills the `{name}` placeholders of a message. Placeholders without a value stay. Values keep their own direction in
 * a right-to-left text. Callers without types may give a message that is no text: it never throws.
 *
 * @see https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
export function translate(message: string | PluralForms, locale: Locale, variables: Variables = {}): string {
  const count = Number(variables.count)
  const text =
    typeof message === 'object' ? (message[new Intl.PluralRules(locale).select(count)] ?? message.other) : message
  return String(text ?? '').replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = variables[name]
    if (value === undefined) return placeholder
    if (typeof value === 'number') return new Intl.NumberFormat(locale).format(value)
    return directionOf(locale) === 'rtl' ? `\u2068${value}\u2069` : value
  })
}

/** Returns the writing direction of a language. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

type TextKey = Exclude<keyof Messages, Locale>

/** Returns the app's own text for a key, if it has one. */
export const findCustomText = (
  messages: Messages | undefined,
  locale: Locale,
  key: TextKey,
): string | PluralForms | undefined => messages?.[locale]?.[key] ?? messages?.[key]

/** Loads all texts of a language. */
export const loadMessages = (locale: Locale): Promise<Translation> =>
  import('./files.ts').then((module) => module.files[locale]())

/**
 * Returns the kit's language for a BCP 47 tag: the same language, or else another region of it, or else English.
 * Chinese is chosen by script, which a region implies.
 *
 * @see https://www.rfc-editor.org/info/bcp47
 */
export function resolveLocale(tag: string): Locale {
  const locales = Object.keys(connectWallet) as Locale[]
  const findBy = (language: string | undefined) => locales.find((locale) => locale.split('-')[0] === language)
  // The first part decides for most tags. `Intl.Locale` takes longer than the rest of the page's start.
  const [, first] = /^([a-z]{2,3})(?:[-_.@]|$)/.exec(tag.toLowerCase()) ?? []
  const simple = first === 'zh' ? undefined : findBy(first)
  if (simple) return simple
  const { language, script, region } = parse(tag) ?? {}
  // Hong Kong's texts are the closest to written Cantonese.
  if (language === 'zh' || language === 'yue') {
    if (script === 'Hans') return 'zh-CN'
    return region === 'HK' || region === 'MO' ? 'zh-HK' : 'zh-TW'
  }
  return findBy(language) ?? 'en'
}

/** Adds script and region to a tag and replaces outdated codes: `in` is `id`. */
function parse(tag: string): Intl.Locale | undefined {
  // Operating systems write zh_TW.UTF-8.
  const [name = ''] = tag.split(/[.@]/)
  for (const text of [name.replaceAll('_', '-'), name.split(/[-_]/)[0]])
    try {
      return new Intl.Locale(text ?? '').maximize()
    } catch {}
}
