import { type Language, toLanguage } from '@lineage/referral-api/language'
import { expect, test } from 'vitest'
import enLater from '../locales/en.later.ts'
import en from '../locales/en.ts'
import zhCNLater from '../locales/zh-CN.later.ts'
import zhCN from '../locales/zh-CN.ts'
import zhTWLater from '../locales/zh-TW.later.ts'
import zhTW from '../locales/zh-TW.ts'
import { chooseLanguage, createI18n, initialLanguage, loadLaterTexts, type Namespace, spaceScripts } from './i18n.ts'

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

test.each([
  ['en', en, zhCN],
  ['zh-TW', zhTW, zhCN],
])('behavior: %s has the keys of zh-CN and their placeholders', (_, messages, source) =>
  expectSameKeys(messages, source),
)

test.each(Object.entries(zhCNLater))('behavior: each language has the same keys: %s', (name, source) => {
  for (const later of [enLater, zhTWLater]) expectSameKeys(later[name as Namespace], source)
})

function expectSameKeys(messages: Record<string, string>, source: Record<string, string>): void {
  const own = Object.keys(messages).filter((key) => !key.endsWith('_one'))
  expect(own.sort()).toEqual(Object.keys(source).sort())
  for (const [key, text] of Object.entries(source))
    expect([key, [...new Set(placeholders(messages[key] ?? ''))]]).toEqual([key, [...new Set(placeholders(text))]])
  for (const key of Object.keys(messages)) if (key.endsWith('_one')) expect(own).toContain(key.slice(0, -4))
}

test.each([
  ['zh', 'zh-CN'],
  ['zh-Hant-HK', 'zh-TW'],
  ['zh_TW', 'zh-TW'],
  ['EN-us', 'en'],
  ['fr', undefined],
  ['', undefined],
])('behavior: the tag %j', (tag, language) => {
  expect(toLanguage(tag)).toBe(language)
})

test.each(Object.entries({ 'zh-CN': zhCN, 'zh-TW': zhTW, en } as const))(
  'behavior: a value that a later server added is a plain text, %s',
  async (language, { unknown }) => {
    const i18n = await createI18n(language as Language)
    await loadLaterTexts(i18n)
    expect(i18n.translation('first')('newest.revoked' as never)).toBe(unknown)
    expect(i18n.translation('alerts')('text.gift' as never, { count: 1 })).toBe(unknown)
  },
)

test('behavior: the URL wins over the stored choice, then Chinese', () => {
  expect(initialLanguage('')).toBe('zh-CN')
  document.cookie = 'other=en'
  document.cookie = 'lineage-language=zh-TW'
  expect(initialLanguage('')).toBe('zh-TW')
  expect(initialLanguage('?lang=en')).toBe('en')
  expect(initialLanguage('?lang=xx')).toBe('zh-TW')
})

test('behavior: the later of two concurrent choices wins', async () => {
  const i18n = await createI18n('zh-CN')
  let arrive = (_: { default: typeof en }) => {}
  const slow = new Promise<{ default: typeof en }>((resolve) => {
    arrive = resolve
  })
  const first = chooseLanguage(i18n, 'en', () => slow)
  await chooseLanguage(i18n, 'zh-TW')
  arrive({ default: en })
  await first
  expect(i18n.language).toBe('zh-TW')
  expect(document.documentElement.lang).toBe('zh-TW')
  expect(document.cookie).toContain('lineage-language=zh-TW')
})

test('behavior: English singular and plural', async () => {
  const t = (await createI18n('en')).translation('first')
  expect(t('growth.days', { count: 1 })).toBe('1 day')
  expect(t('growth.days', { count: 2 })).toBe('2 days')
})

test('behavior: values stand in place of their names, also in a text of another group', async () => {
  const i18n = await createI18n('zh-CN')
  expect(i18n.translation('first')('people', { number: '5' })).toBe('5 人')
  i18n.add({ share: { block: '{{block}} / {{block}} / {{other}}' } })
  expect(i18n.translation('share')('block', { block: '{{other}}' })).toBe('{{other}} / {{other}} / ')
})

test('behavior: a thin space between Chinese and Latin', () => {
  expect(spaceScripts('第12代BNB余额')).toBe('第\u200912\u2009代\u2009BNB\u2009余额')
})
