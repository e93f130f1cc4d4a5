import { describe, expect, test } from 'vitest'
import { en, type MessageKey } from './en.ts'
import { type Locale, languages } from './locales.ts'
import { resolveLocale } from './resolveLocale.ts'
import { translate } from './translate.ts'

const variablesOf = (message: string) => [...message.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()

describe.each(Object.keys(languages) as Locale[])('%s', (locale) => {
  test('has every key, none empty, none more', async () => {
    const messages = await languages[locale].load()
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort())
    expect(Object.entries(messages).filter(([, message]) => message.trim() === '')).toEqual([])
  })

  test('has the variables of English in every message', async () => {
    const messages = await languages[locale].load()
    for (const key of Object.keys(en) as MessageKey[])
      expect([key, ...variablesOf(messages[key])]).toEqual([key, ...variablesOf(en[key])])
  })
})

test.each([
  ['zh-CN', 'zh-CN'],
  ['zh_cn', 'zh-CN'],
  ['zh-SG', 'zh-CN'],
  ['zh', 'zh-CN'],
  ['en-GB', 'en'],
  ['xx', 'en'],
  ['', 'en'],
  ['constructor', 'en'],
])('language of %s is %s', (tag, locale) => {
  expect(resolveLocale(tag)).toBe(locale)
})

test('variables fill their marks, also with replacement patterns in them', () => {
  expect(translate('Get {wallet}', { wallet: '$& {wallet}' })).toBe('Get $& {wallet}')
  expect(translate('Get {wallet}')).toBe('Get {wallet}')
})
