/** Languages of the pages. */
export type Language = 'zh-CN' | 'zh-TW' | 'en'

/** Name of the cookie with the language that a visitor has chosen. */
export const languageCookie = 'lineage-language'

/**
 * Maps a language tag to a language of the pages.
 *
 * @example
 * toLanguage('zh-Hant-HK') // 'zh-TW'
 */
export function toLanguage(tag: string | null | undefined): Language | undefined {
  const parts = (tag ?? '').toLowerCase().split(/[-_]/)
  if (parts[0] === 'en') return 'en'
  if (parts[0] !== 'zh') return undefined
  return parts.some((part) => part === 'hant' || part === 'tw' || part === 'hk' || part === 'mo') ? 'zh-TW' : 'zh-CN'
}

/** Returns the language in which a page opens: that of `?lang=`, or else that of the cookie, or else Chinese. */
export const findLanguage = (lang: string | null, chosen: string | undefined): Language =>
  toLanguage(lang) ?? toLanguage(chosen) ?? 'zh-CN'
