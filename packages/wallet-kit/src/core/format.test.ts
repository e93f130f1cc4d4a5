// @vitest-environment node
import fc from 'fast-check'
import { parseUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { formatAddress, formatBalance, formatName } from './format.ts'

const bnb = (amount: string) => formatBalance({ value: parseUnits(amount, 18), decimals: 18 })

describe('formatBalance', () => {
  test.each([
    ['0.002', '0.002'],
    ['0.9009', '0.9'],
    ['0.5199', '0.519'],
    ['0.0205', '0.02'],
    ['0', '0'],
    ['0.0009', '<0.001'],
    ['0.000000000000000001', '<0.001'],
    ['1.002', '1'],
    ['1.04', '1.04'],
    ['1.1', '1.1'],
    ['12', '12'],
    ['99.999', '99.99'],
    ['123', '123'],
    ['1234.22', '1,234.2'],
    ['1234.02', '1,234'],
    ['9999.99', '9,999.9'],
    ['10000', '10k'],
    ['12300', '12.3k'],
    ['999990', '999.9k'],
    ['1230000', '1.2m'],
    ['999990000', '999.9m'],
    ['1000000000', '1b'],
    ['1000000000000', '1t'],
    ['1000000000000000', '1,000t'],
  ])('%s → %s', (amount, text) => expect(bnb(amount)).toBe(text))

  test('tokens of few decimals', () => {
    expect(formatBalance({ value: 5n, decimals: 0 })).toBe('5')
    expect(formatBalance({ value: 5n, decimals: 2 })).toBe('0.05')
    expect(formatBalance({ value: 123_456_789n, decimals: 6 })).toBe('123.4')
  })

  test('separators of another language', () =>
    expect(formatBalance({ value: 123_422n, decimals: 2, locale: 'de' })).toBe('1.234,2'))

  test('behavior: nothing to show is no text', () => {
    expect(formatBalance({ value: undefined, decimals: 18 })).toBe('')
    expect(formatBalance({ value: 1n, decimals: Number.NaN })).toBe('')
    expect(formatBalance({ value: 1 as unknown as bigint, decimals: 18 })).toBe('')
  })

  test('property: never more than there is, and less by under one part in ten of a percent of the unit shown', () => {
    const factor = { '': 0n, k: 3n, m: 6n, b: 9n, t: 12n }
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 15n, max: 10n ** 40n }), (value) => {
        const text = formatBalance({ value, decimals: 18 })
        const [, digits = '', unit = ''] = /^([\d,.]+)([kmbt]?)$/.exec(text) ?? []
        const shown = parseUnits(digits.replaceAll(',', ''), 18) * 10n ** factor[unit as keyof typeof factor]
        expect(shown).toBeLessThanOrEqual(value)
        expect((value - shown) * 100n).toBeLessThan(value < 10n ** 18n ? 10n ** 17n : value)
      }),
    )
  })
})

describe('formatAddress', () => {
  test.each([
    ['12345678', '1234…5678'],
    ['1234567', '1234567'],
    ['0xDE7F309DE0F69C49E7C065BB4AE6DFFE0F5E32F4', '0xDE…32F4'],
  ])('%s → %s', (address, text) => expect(formatAddress(address)).toBe(text))
})

describe('formatName', () => {
  test.each([
    ['reallylongensnameheretotestlongnames.eth', 'reallylongensnameheretot...'],
    ['qwertyuiopasdfghjklzxcvb.eth', 'qwertyuiopasdfghjklzxcvb.eth'],
    ['rainbowrainbowrainbow.rainbowrainbow.eth', 'rainbowrainbowrainbow.ra...'],
    ['abcdefghijklmnopqrstuvwxyz', 'abcdefghijklmnopqrstuvwx...'],
    ['👩‍🚀'.repeat(8), '👩‍🚀'.repeat(8)],
  ])('%s → %s', (name, text) => expect(formatName(name)).toBe(text))

  test('property: never cuts a character in half', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(formatName(name)).not.toMatch(/\p{Cs}/u)
      }),
    )
  })
})
