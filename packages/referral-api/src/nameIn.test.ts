import { expect, test } from 'vitest'
import { nameIn } from './nameIn.ts'

const names = { 'zh-CN': '示例社区', en: 'Demo' }

test.each([
  ['one name in every language', 'Panther', 'de', 'Panther'],
  ['the language itself', names, 'en', 'Demo'],
  ['a related language', names, 'zh-TW', '示例社区'],
  ['a region of the language', names, 'en-GB', 'Demo'],
  ['English, where the language has none', names, 'de', 'Demo'],
  ['the first, where English has none either', { fr: 'Lignée' }, 'de', 'Lignée'],
])('behavior: %s', (_, name, language, expected) => {
  expect(nameIn(name, language)).toBe(expected)
})
