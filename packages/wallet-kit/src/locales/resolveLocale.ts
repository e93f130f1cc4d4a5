import { type Locale, languages } from './locales.ts'

/**
 * The kit's language for a BCP 47 tag: the same one, else another region of the same language, else English.
 *
 * @example
 * ```ts
 * resolveLocale('zh-SG') // 'zh-CN'
 * resolveLocale('xx')    // 'en'
 * ```
 * @see https://www.rfc-editor.org/info/bcp47
 */
export function resolveLocale(tag: string): Locale {
  const locales = Object.keys(languages) as Locale[]
  const wanted = tag.toLowerCase().replaceAll('_', '-')
  const language = wanted.split('-')[0]
  return (
    locales.find((locale) => locale.toLowerCase() === wanted) ??
    locales.find((locale) => locale.toLowerCase().split('-')[0] === language) ??
    'en'
  )
}
