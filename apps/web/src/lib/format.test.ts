import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createFormat, shareOf } from './format.ts'

const zh = createFormat('zh-CN', 'Asia/Shanghai')
const en = createFormat('en', 'UTC')

test('behavior: exact amounts keep every digit, however large', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 60n }), fc.integer({ min: 0, max: 18 }), (value, decimals) => {
      const [whole = '', fraction = ''] = en
        .amount(String(value), { symbol: 'T', decimals }, 'exact')
        .replaceAll(',', '')
        .split('.')
      expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(value)
    }),
  )
})

test('behavior: exact amounts keep every digit in a browser that puts texts of digits through a float, as Firefox 115 does', () => {
  const { prototype } = Intl.NumberFormat
  const own = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {}
  onTestFinished(() => void Object.defineProperty(prototype, 'format', own))
  Object.defineProperty(prototype, 'format', {
    configurable: true,
    get(this: Intl.NumberFormat) {
      return (value: number | bigint | string) =>
        this.formatToParts(typeof value === 'string' ? Number(value) : value).reduce(
          (text, part) => text + part.value,
          '',
        )
    },
  })
  const token = { symbol: 'T', decimals: 18 }
  expect(createFormat('en', 'UTC').amount('1234567123456789012345678', token, 'exact')).toBe(
    '1,234,567.123456789012345678',
  )
})

test('behavior: large numbers use the language’s compact notation', () => {
  expect(zh.big(12_345)).toBe('12,345')
  expect(zh.big(123_456_789)).toBe('1.235\u2009亿')
  expect(en.big(123_456_789)).toBe('123.5M')
  expect(zh.amount('3351000000000000000000000', { symbol: 'USDT', decimals: 18 })).toBe('335.1\u2009万')
})

test('behavior: numbers beyond compact notation are powers of ten', () => {
  const amountOf = (value: bigint, format = zh) => format.amount(String(value), { symbol: 'T', decimals: 0 })
  expect(amountOf(4_000_123n * 10n ** 24n)).toBe('4×10^30')
  expect(amountOf(12_345n * 10n ** 26n, en)).toBe('1.235×10^30')
  expect(amountOf(10n ** 16n - 10n ** 12n)).toMatch(/亿$/)
})

test('behavior: small amounts do not round to nothing', () => {
  expect(en.amount('1234567', { symbol: 'T', decimals: 18 })).not.toBe('0')
})

test('behavior: amounts below a millionth are powers of ten', () => {
  const amountOf = (value: bigint, decimals: number) => en.amount(String(value), { symbol: 'T', decimals })
  expect(amountOf(1n, 36)).toBe('1×10^-36')
  expect(amountOf(123_456n, 18)).toBe('1.235×10^-13')
  expect(amountOf(1n, 6)).toBe('0.000001')
  expect(amountOf(0n, 36)).toBe('0')
  expect(en.amount('1', { symbol: 'T', decimals: 18 }, 'exact')).toBe('0.000000000000000001')
})

test('property: shares of one total add up to it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.bigInt({ min: 1n, max: 10n ** 40n }), (part, rest) => {
      const sum = shareOf(String(part), String(part + rest)) + shareOf(String(rest), String(part + rest))
      expect(sum).toBeCloseTo(1, 5)
    }),
  )
  expect(shareOf('0', '0')).toBe(0)
})

test('behavior: days and times are those of the time zone', () => {
  expect(en.day(Date.UTC(2026, 0, 1, 0, 0, 1) / 1_000)).toBe('Jan 1, 2026')
  expect(zh.day(Date.UTC(2025, 11, 31, 15, 59, 59) / 1_000)).toBe('2025\u2009年\u200912\u2009月\u200931\u2009日')
  expect(zh.day(Date.UTC(2025, 11, 31, 16) / 1_000)).toBe('2026\u2009年\u20091\u2009月\u20091\u2009日')
  expect(zh.longDay('2026-01-01')).toBe('2026\u2009年\u20091\u2009月\u20091\u2009日')
  expect(zh.moment(Date.UTC(2025, 11, 31, 16) / 1_000)).toMatch(/00:00:00 UTC\+8$/)
  expect(en.moment(Date.UTC(2025, 11, 31, 16) / 1_000)).toMatch(/4:00:00\sPM UTC$/)
  expect(createFormat('zh-TW', 'UTC').moment(Date.UTC(2025, 11, 31, 5, 50) / 1_000)).toMatch(/05:50:00 UTC$/)
  expect(zh.time(Date.UTC(2025, 11, 31, 16) / 1_000)).toBe('00:00')
})

test('behavior: relative time, and a clock behind the chain', () => {
  const now = Date.UTC(2026, 5, 1) / 1_000
  expect(en.ago(now - 2, now)).toBe('now')
  expect(en.ago(now - 20, now)).toBe('20 seconds ago')
  expect(en.ago(now - 3 * 86_400, now)).toBe('3 days ago')
  expect(zh.ago(now - 7_200, now)).toBe('2\u2009小时前')
  expect(en.ago(now + 86_400, now)).toBe('Jun 2, 2026')
})
