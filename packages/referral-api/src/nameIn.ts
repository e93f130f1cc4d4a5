import type { LocalName } from './types.ts'

/**
 * Returns a community's name in a language, or else in a related one, or else in English, or else the first name.
 *
 * @example nameIn({ 'zh-CN': '示例社区', en: 'Demo' }, 'zh-TW') // '示例社区'
 */
export function nameIn(name: LocalName, language: string): string {
  if (typeof name === 'string') return name
  const [primary] = language.split('-')
  const names = Object.entries(name)
  const related = names.find(([other]) => other.split('-')[0] === primary)?.[1]
  return name[language] ?? related ?? name.en ?? names[0]?.[1] ?? ''
}
