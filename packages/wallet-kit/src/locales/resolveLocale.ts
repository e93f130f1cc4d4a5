import { connectWallet, type Locale } from './locales.ts'

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
  const [, first] = /^([a-z]{2,3})(?:[-_.@]|$)/i.exec(tag) ?? []
  const simple = first?.toLowerCase() === 'zh' ? undefined : findBy(first?.toLowerCase())
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
