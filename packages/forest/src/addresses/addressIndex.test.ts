import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvalidAddressError } from '../errors.ts'
import { createAddressWords, prefixComparer, readAddress } from './address.ts'
import { AddressIndex } from './addressIndex.ts'

const hexAddress = (value: number) => `0x${value.toString(16).padStart(40, '0')}`

function words(text: string) {
  const into = createAddressWords()
  readAddress(text, into)
  return into
}

test('property: inserting and removing the newest agrees with a list while the index grows', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof({ weight: 3, arbitrary: fc.nat(200) }, { weight: 1, arbitrary: fc.constant('remove' as const) }),
        {
          maxLength: 300,
          size: 'max',
        },
      ),
      (steps) => {
        const index = new AddressIndex(2)
        const list: string[] = []
        for (const step of steps) {
          if (step === 'remove') {
            if (list.pop() !== undefined) index.removeLast()
          } else if (!list.includes(hexAddress(step))) {
            expect(index.insert(words(hexAddress(step)))).toBe(list.length)
            list.push(hexAddress(step))
          }
        }
        expect(index.length).toBe(list.length)
        for (let value = 0; value <= 200; value++) {
          const at = list.indexOf(hexAddress(value))
          expect(index.find(words(hexAddress(value)))).toBe(at === -1 ? undefined : at)
        }
        list.forEach((text, at) => {
          expect(index.address(at)).toBe(text)
        })
      },
    ),
  )
})

test('property: comparing with a prefix agrees with comparing texts, for each length', () => {
  const digits = fc.stringMatching(/^[0-9a-f]{40}$/)
  fc.assert(
    fc.property(digits, digits, fc.integer({ min: 1, max: 40 }), fc.boolean(), (own, other, length, same) => {
      const index = new AddressIndex(1)
      index.insert(words(`0x${own}`))
      const prefix = (same ? own : own.slice(0, length - 1) + other.slice(length - 1)).slice(0, length)
      const begin = own.slice(0, length)
      expect(prefixComparer(index.words, prefix.toUpperCase())(0)).toBe(begin < prefix ? -1 : begin > prefix ? 1 : 0)
    }),
  )
})

test('behavior: 200,000 addresses that differ in one word are found quickly', () => {
  const index = new AddressIndex(16)
  for (let value = 0; value < 200_000; value++) index.insert(words(hexAddress(value)))
  for (let value = 0; value < 200_000; value += 7) expect(index.find(words(hexAddress(value)))).toBe(value)
  expect(index.find(words(hexAddress(200_001)))).toBeUndefined()
})

test.each([
  '',
  '0x',
  `0x${'0'.repeat(39)}`,
  `0x${'0'.repeat(41)}`,
  `0X${'0'.repeat(40)}`,
  `0x${'g'.repeat(40)}`,
  `0x${'/'.repeat(40)}`,
  `0x${'@'.repeat(40)}`,
  `0x${'Ħ'.repeat(40)}`,
  `0x${'0'.repeat(39)}é`,
  `0x${'0'.repeat(39)}İ`,
  `İx${'0'.repeat(40)}`,
  ` 0x${'0'.repeat(40)}`,
  `0x${'0'.repeat(40)}\n`,
  undefined as unknown as string,
  1 as unknown as string,
])('behavior: %j is refused as an address', (text) => {
  expect(() => words(text)).toThrow(InvalidAddressError)
})

test('behavior: an address is returned in lower case', () => {
  const index = new AddressIndex(1)
  index.insert(words('0xABCDEFabcdef0123456789000000000000000001'))
  expect(index.address(0)).toBe('0xabcdefabcdef0123456789000000000000000001')
})
