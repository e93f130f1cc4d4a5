// @vitest-environment node
import fc from 'fast-check'
import { formatUnits, parseUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { formatAddress, formatBalance, formatName, toBalance } from './format.ts'

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

  test('tokens with few decimals', () => {
    expect(formatBalance({ value: 5n, decimals: 0 })).toBe('5')
    expect(formatBalance({ value: 5n, decimals: 2 })).toBe('0.05')
    expect(formatBalance({ value: 123_456_789n, decimals: 6 })).toBe('123.4')
  })

  test('separators of another language', () =>
    expect(formatBalance({ value: 123_422n, decimals: 2, locale: 'de' })).toBe('1.234,2'))

  test('digits and separators of another script', () =>
    expect(formatBalance({ value: 123_422n, decimals: 2, locale: 'ar-EG' })).toBe('١٬٢٣٤٫٢'))

  test('keeps every digit of large values', () =>
    expect(bnb('9007199254740993000000000000')).toBe('9,007,199,254,740,993t'))

  test('behavior: empty without a value', () => {
    expect(formatBalance({ value: undefined, decimals: 18 })).toBe('')
    expect(formatBalance({ value: 1n, decimals: Number.NaN })).toBe('')
    expect(formatBalance({ value: 1 as unknown as bigint, decimals: 18 })).toBe('')
  })

  /** Parses a formatted text into the smallest unit. */
  const readBack = (text: string, decimals: number) => {
    const [, digits = '', unit = ''] = /^<?([\d,.]+)([kmbt]?)$/.exec(text) ?? []
    const [whole = '', fraction = ''] = digits.replaceAll(',', '').split('.')
    const power = decimals + { '': 0, k: 3, m: 6, b: 9, t: 12 }[unit as '' | 'k' | 'm' | 'b' | 't']
    return (BigInt(whole + fraction) * 10n ** BigInt(power) * 1_000n) / 10n ** BigInt(fraction.length)
  }
  const amounts = fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 40n }),
    // Values around each change of the format.
    fc.tuple(fc.nat(40), fc.integer({ min: -3, max: 3 })).map(([power, off]) => {
      const value = 10n ** BigInt(power) + BigInt(off)
      return value < 0n ? 0n : value
    }),
  )
  const decimals = fc.constantFrom(0, 2, 6, 8, 18, 24)

  test('property: never more than the value, and less by under a tenth or under 0.001', () => {
    fc.assert(
      fc.property(amounts, decimals, (value, decimals) => {
        const text = formatBalance({ value, decimals })
        const shown = readBack(text, decimals)
        if (text.startsWith('<')) {
          expect(value).toBeGreaterThan(0n)
          expect(value * 1_000n).toBeLessThan(shown)
        } else {
          expect(shown).toBeLessThanOrEqual(value * 1_000n)
          const least = 10n ** BigInt(decimals)
          expect(value * 1_000n - shown).toBeLessThan(value * 100n > least ? value * 100n : least)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('property: a larger value never reads as a smaller one', () => {
    fc.assert(
      fc.property(amounts, amounts, decimals, (a, b, decimals) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        const [low, high] = [less, more].map((value) => formatBalance({ value, decimals }))
        // "<0.001" is greater than 0 and less than every other text.
        if (low?.startsWith('<') || high?.startsWith('<')) expect(high === '0' && low !== '0').toBe(false)
        else expect(readBack(low ?? '', decimals)).toBeLessThanOrEqual(readBack(high ?? '', decimals))
      }),
      { numRuns: 1_000 },
    )
  })

  test('property: another language writes the same digits', () => {
    const arabic = (text: string) =>
      [...text]
        .map((it) => '٠١٢٣٤٥٦٧٨٩٬٫'.indexOf(it))
        .map((at) => (at === -1 ? '' : '0123456789,.'[at]))
        .join('')
    fc.assert(
      fc.property(amounts, decimals, (value, decimals) => {
        const english = formatBalance({ value, decimals }).replace(/[<kmbt]/g, '')
        expect(arabic(formatBalance({ value, decimals, locale: 'ar-EG' }))).toBe(english)
      }),
    )
  })
})

describe('toBalance', () => {
  const amount = { value: 1_234_567_890_000_000_000_000n, decimals: 18, symbol: 'BNB' }

  test('the exact number, and a text for display in the language of the page', () => {
    expect(toBalance(amount)).toEqual({ ...amount, formatted: '1234.56789', displayBalance: '1,234.5 BNB' })
    expect(toBalance(amount, 'de')).toEqual({ ...amount, formatted: '1234.56789', displayBalance: '1.234,5 BNB' })
  })

  test('behavior: a token without a symbol', () =>
    expect(toBalance({ ...amount, symbol: '' }).displayBalance).toBe('1,234.5'))

  test('property: `formatted` is what viem writes, and leads back to the value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.nat(77), (value, decimals) => {
        const { formatted } = toBalance({ value, decimals, symbol: 'BNB' })
        expect(formatted).toBe(formatUnits(value, decimals))
        expect(parseUnits(formatted, decimals)).toBe(value)
      }),
      { numRuns: 1_000 },
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

  test('behavior: a long last part is cut as well', () => {
    expect(formatName(`a.${'b'.repeat(10_000)}`)).toBe(`a.${'b'.repeat(22)}...`)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        expect([...formatName(name)].length).toBeLessThanOrEqual(24 + 25)
      }),
    )
  })

  test('property: never cuts a character in half', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(formatName(name)).not.toMatch(/\p{Cs}/u)
      }),
    )
  })
})
