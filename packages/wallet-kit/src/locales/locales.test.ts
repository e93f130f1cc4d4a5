import { beforeAll, describe, expect, test } from 'vitest'
import { en, type MessageKey } from './en.ts'
import { connectWallet, type Locale, type Messages, type Translation, wrongNetwork } from './locales.ts'
import { findCustomText, loadMessages, resolveLocale, translate } from './translate.ts'

const locales = Object.keys(connectWallet) as Locale[]
const keys = Object.keys(en) as MessageKey[]
const variablesOf = (message: Translation[MessageKey]) =>
  [...(typeof message === 'string' ? message : message.other).matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()
const withoutMarks = (message: string) => message.replace(/\{\w+\}/g, '')

/** Names that all languages write in the same way. */
const names: MessageKey[] = ['appStore', 'googlePlay', 'appWeChat', 'appQQ']
/** Texts that are the same in English and other languages. */
const loanWords = /^(Popular|Website|App|Desktop|Wallet|Wallets|Token)$/

const scripts: Partial<Record<Locale, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  th: /\p{Script=Thai}/u,
  uk: /\p{Script=Cyrillic}/u,
  'zh-CN': /\p{Script=Han}/u,
  'zh-HK': /\p{Script=Han}/u,
  'zh-TW': /\p{Script=Han}/u,
}

const fullWidth: Locale[] = ['ja', 'zh-CN', 'zh-HK', 'zh-TW']

/** Words that only people in other regions write. */
const foreignWords: Partial<Record<Locale, RegExp>> = {
  'zh-CN': /[錢連網絡鏈賬帳戶餘]|链结|網路|网路|扫瞄|資訊/,
  'zh-TW': /[钱链网账户连]|網絡|錢包連接|連接|信息|质|二維碼|裏|支持|默認|屏幕|軟件/,
  'zh-HK': /[钱链网账户连]|網路|連結錢包|信息|什麼|裡|支持|默認|屏幕|軟件/,
}

describe.each(locales)('%s', (locale) => {
  let messages: Translation
  const texts = () => [
    ...Object.entries({ ...messages, connectWallet: connectWallet[locale] }).flatMap(([key, text]) =>
      typeof text === 'string' ? [[key, text]] : Object.values(text).map((form) => [key, form]),
    ),
  ]
  beforeAll(async () => {
    messages = await loadMessages(locale)
  })

  test('has every key and no other, none empty', () => {
    expect(Object.keys(messages)).toEqual(keys)
    expect(texts().filter(([, text]) => text?.trim() === '')).toEqual([])
  })

  test('has the variables of English in every message', () => {
    for (const key of keys) expect([key, ...variablesOf(messages[key])]).toEqual([key, ...variablesOf(en[key])])
  })

  test('has every plural form of its language, and only those; forms for more than one number say which', () => {
    const plurals = new Intl.PluralRules(locale)
    const forms = messages.pendingTransactions
    expect(Object.keys(forms).sort()).toEqual([...plurals.resolvedOptions().pluralCategories].sort())
    for (const category of plurals.resolvedOptions().pluralCategories) {
      const numbers = Array.from({ length: 200 }, (_, number) => number).filter(
        (number) => plurals.select(number) === category,
      )
      if (numbers.length !== 1) expect([category, ...variablesOf(forms[category] ?? '')]).toEqual([category, 'count'])
    }
  })

  test('is in its own language', () => {
    if (locale === 'en') return
    const english = keys.filter(
      (key) =>
        !names.includes(key) &&
        messages[key] === en[key] &&
        !loanWords.test(withoutMarks(String(messages[key])).trim()),
    )
    expect(english).toEqual([])
    const script = scripts[locale]
    if (script)
      expect(texts().filter(([key, text]) => !names.includes(key as MessageKey) && !script.test(text ?? ''))).toEqual(
        [],
      )
    // Two short English words in a row are an untranslated sentence.
    const left =
      /(?<!\p{L})(the|and|your|this|of|to|was|is|in) (the|a|your|this|wallet|page|link|code|it|be)(?!\p{L})/iu
    expect(texts().filter(([, text]) => left.test(text ?? ''))).toEqual([])
    expect(texts().filter(([, text]) => foreignWords[locale]?.test(text ?? ''))).toEqual([])
  })

  test('has its own punctuation', () => {
    expect(texts().filter(([, text]) => /\.\.\.|["']| {2}/.test(text ?? ''))).toEqual([])
    if (fullWidth.includes(locale))
      expect(texts().filter(([, text]) => /[,;:!?()]|\.(?!\w)/.test(withoutMarks(text ?? '')))).toEqual([])
    if (locale === 'ar') expect(texts().filter(([, text]) => /[,;?]/.test(text ?? ''))).toEqual([])
    // A non-breaking space.
    if (locale === 'fr')
      expect(texts().filter(([, text]) => /(?<![\u00a0\u202f])[:;?!»]|«(?!\u00a0)/.test(text ?? ''))).toEqual([])
  })
})

test.each([
  ['zh-CN', 'zh-CN'],
  ['zh_cn', 'zh-CN'],
  ['zh-SG', 'zh-CN'],
  ['zh', 'zh-CN'],
  ['zh-Hans-HK', 'zh-CN'],
  ['zh-TW', 'zh-TW'],
  ['zh-Hant', 'zh-TW'],
  ['zh-Hant-US', 'zh-TW'],
  ['zh_TW.UTF-8', 'zh-TW'],
  ['zh-HK', 'zh-HK'],
  ['zh-MO', 'zh-HK'],
  ['zh-Hant-HK', 'zh-HK'],
  ['yue', 'zh-HK'],
  ['en-GB', 'en'],
  ['fr-CA', 'fr'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['es-419', 'es'],
  ['de-AT-u-co-phonebk', 'de'],
  ['in', 'id'],
  ['ar-EG', 'ar'],
  ['JA', 'ja'],
  ['ko-x', 'ko'],
  ['ru_RU@euro', 'ru'],
  ['xx', 'en'],
  ['', 'en'],
  ['-', 'en'],
  ['constructor', 'en'],
  ['C', 'en'],
])('language of %s is %s', (tag, locale) => {
  expect(resolveLocale(tag)).toBe(locale)
})

test('the button’s texts before a language is loaded are the English ones', () => {
  expect([connectWallet.en, wrongNetwork]).toEqual(['Connect Wallet', en.wrongNetwork])
})

test('every locale resolves to itself', () => {
  for (const locale of locales) expect(resolveLocale(locale)).toBe(locale)
})

test('fills placeholders, also with replacement patterns in values', () => {
  expect(translate('Get {wallet}', 'en', { wallet: '$& {wallet}' })).toBe('Get $& {wallet}')
  expect(translate('Get {wallet}', 'en')).toBe('Get {wallet}')
})

test('values in a right-to-left text keep their direction', () => {
  expect(translate('فتح {wallet}', 'ar', { wallet: 'Acme (!)' })).toBe('فتح \u2068Acme (!)\u2069')
})

test.each<[Locale, number, string]>([
  ['en', 1, '1 pending'],
  ['en', 1234, '1,234 pending'],
  ['de', 1234, '1.234 ausstehend'],
  ['ru', 1, '1 транзакция в обработке'],
  ['ru', 3, '3 транзакции в обработке'],
  ['ru', 25, '25 транзакций в обработке'],
  ['ar', 0, 'لا معاملات قيد الانتظار'],
  ['ar', 2, 'معاملتان قيد الانتظار'],
  ['ar', 3, '3 معاملات قيد الانتظار'],
  ['ar', 11, '11 معاملة قيد الانتظار'],
  ['ja', 1, '1 件が処理中'],
])('%s counts %d', async (locale, count, text) => {
  const { pendingTransactions } = await loadMessages(locale)
  expect(translate(pendingTransactions, locale, { count })).toBe(text)
})

describe('the app’s texts', () => {
  test.each([
    [5, '5'],
    [{}, ''],
    [{ one: 'a' }, ''],
    [{ other: 5 }, '5'],
  ])('behavior: %j instead of a text, from an app without types: does not throw', (message, shown) => {
    expect(translate(message as unknown as string, 'en')).toBe(shown)
  })

  test('texts of a language win over those for all', () => {
    const messages: Messages = { close: 'Done', de: { close: 'Fertig' } }
    expect(findCustomText(messages, 'de', 'close')).toBe('Fertig')
    expect(findCustomText(messages, 'fr', 'close')).toBe('Done')
    expect(findCustomText(messages, 'de', 'back')).toBeUndefined()
  })

  test('their keys are checked by TypeScript, and no key is a locale', () => {
    // @ts-expect-error: no text of the kit has this key
    const wrong: Messages = { conectWallet: 'Join' }
    // @ts-expect-error: in a language neither
    const alsoWrong: Messages = { de: { conectWallet: 'Los' } }
    expect([wrong, alsoWrong]).toHaveLength(2)
    expect(keys.filter((key) => key in connectWallet)).toEqual([])
  })
})
