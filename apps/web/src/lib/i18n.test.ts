import { expect, test } from 'vitest'
import alertsEn from '../locales/alerts/en.ts'
import alertsZhCN from '../locales/alerts/zh-CN.ts'
import alertsZhTW from '../locales/alerts/zh-TW.ts'
import communitiesEn from '../locales/communities/en.ts'
import communitiesZhCN from '../locales/communities/zh-CN.ts'
import communitiesZhTW from '../locales/communities/zh-TW.ts'
import compareEn from '../locales/compare/en.ts'
import compareZhCN from '../locales/compare/zh-CN.ts'
import compareZhTW from '../locales/compare/zh-TW.ts'
import en from '../locales/en.ts'
import filtersEn from '../locales/filters/en.ts'
import filtersZhCN from '../locales/filters/zh-CN.ts'
import filtersZhTW from '../locales/filters/zh-TW.ts'
import historyEn from '../locales/history/en.ts'
import historyZhCN from '../locales/history/zh-CN.ts'
import historyZhTW from '../locales/history/zh-TW.ts'
import labelsEn from '../locales/labels/en.ts'
import labelsZhCN from '../locales/labels/zh-CN.ts'
import labelsZhTW from '../locales/labels/zh-TW.ts'
import mapEn from '../locales/map/en.ts'
import mapZhCN from '../locales/map/zh-CN.ts'
import mapZhTW from '../locales/map/zh-TW.ts'
import relationEn from '../locales/relation/en.ts'
import relationZhCN from '../locales/relation/zh-CN.ts'
import relationZhTW from '../locales/relation/zh-TW.ts'
import searchEn from '../locales/search/en.ts'
import searchZhCN from '../locales/search/zh-CN.ts'
import searchZhTW from '../locales/search/zh-TW.ts'
import shareEn from '../locales/share/en.ts'
import shareZhCN from '../locales/share/zh-CN.ts'
import shareZhTW from '../locales/share/zh-TW.ts'
import zhCN from '../locales/zh-CN.ts'
import zhTW from '../locales/zh-TW.ts'
import { chooseLanguage, createI18n, initialLanguage, spaceScripts, toLanguage } from './i18n.ts'

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['en', en, zhCN],
  ['zh-TW', zhTW, zhCN],
  ['en, alerts', alertsEn, alertsZhCN],
  ['zh-TW, alerts', alertsZhTW, alertsZhCN],
  ['en, communities', communitiesEn, communitiesZhCN],
  ['zh-TW, communities', communitiesZhTW, communitiesZhCN],
  ['en, compare', compareEn, compareZhCN],
  ['zh-TW, compare', compareZhTW, compareZhCN],
  ['en, filters', filtersEn, filtersZhCN],
  ['zh-TW, filters', filtersZhTW, filtersZhCN],
  ['en, history', historyEn, historyZhCN],
  ['zh-TW, history', historyZhTW, historyZhCN],
  ['en, labels', labelsEn, labelsZhCN],
  ['zh-TW, labels', labelsZhTW, labelsZhCN],
  ['en, map', mapEn, mapZhCN],
  ['zh-TW, map', mapZhTW, mapZhCN],
  ['en, relation', relationEn, relationZhCN],
  ['zh-TW, relation', relationZhTW, relationZhCN],
  ['en, search', searchEn, searchZhCN],
  ['zh-TW, search', searchZhTW, searchZhCN],
  ['en, share', shareEn, shareZhCN],
  ['zh-TW, share', shareZhTW, shareZhCN],
])('behavior: %s has the keys of zh-CN and their placeholders', (_, messages, source) => {
  const own = Object.keys(messages).filter((key) => !key.endsWith('_one'))
  expect(own.sort()).toEqual(Object.keys(source).sort())
  for (const [key, text] of Object.entries(source))
    expect([key, [...new Set(placeholders(messages[key] ?? ''))]]).toEqual([key, [...new Set(placeholders(text))]])
  for (const key of Object.keys(messages)) if (key.endsWith('_one')) expect(own).toContain(key.slice(0, -4))
})

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

test('behavior: the URL wins over the stored choice, then Chinese', () => {
  expect(initialLanguage('')).toBe('zh-CN')
  localStorage.setItem('lineage-language', 'zh-TW')
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
  expect(localStorage.getItem('lineage-language')).toBe('zh-TW')
})

test('behavior: English singular and plural', async () => {
  const i18n = await createI18n('en')
  expect(i18n.t('status.blocks', { count: 1 })).toBe('1 block')
  expect(i18n.t('status.blocks', { count: 2 })).toBe('2 blocks')
})

test('behavior: a thin space between Chinese and Latin', () => {
  expect(spaceScripts('第12代BNB余额')).toBe('第\u200912\u2009代\u2009BNB\u2009余额')
})
