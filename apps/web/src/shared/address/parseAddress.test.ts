import fc from 'fast-check'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { hidePhrases, parseAddress, shorten } from './parseAddress.ts'

const checksummed = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 })

test('property: reads addresses in lower, upper and checksum case, with spaces around and inside', () => {
  fc.assert(
    fc.property(hex, fc.constantFrom(' ', '\n', '\u200b', '\u3000', ''), fc.nat(42), (digits, space, at) => {
      const address = getAddress(`0x${digits}`)
      for (const text of [`0x${digits}`, `0X${digits.toUpperCase()}`, digits, address]) {
        const spaced = `${space}${text.slice(0, at)}${space}${text.slice(at)}${space}`
        expect(parseAddress(spaced)).toEqual({ kind: 'valid', address })
      }
    }),
  )
})

test('property: never throws, and only a checksummed address is valid', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const parsed = parseAddress(text)
      if (parsed.kind === 'valid') expect(parsed.address).toBe(getAddress(parsed.address))
    }),
  )
})

test('behavior: an address within a link or a payment URI', () => {
  expect(parseAddress(`https://bscscan.com/address/${checksummed}#code`)).toEqual({
    kind: 'valid',
    address: checksummed,
  })
  expect(parseAddress(`ethereum:${checksummed}@56`)).toEqual({ kind: 'valid', address: checksummed })
})

test('behavior: the subject of a link with several addresses', () => {
  const other = '0x55d398326f99059fF775485246999027B3197955'
  const valid = { kind: 'valid', address: checksummed }
  expect(parseAddress(`ethereum:${other}@56/transfer?address=${checksummed}&uint256=1e18`)).toEqual(valid)
  expect(parseAddress(`https://bscscan.com/token/${other}?a=${checksummed}`)).toEqual(valid)
  expect(parseAddress(`https://app.example/search?community=${other}&address=${checksummed}`)).toEqual(valid)
  expect(parseAddress(`${checksummed} ${other}`).kind).not.toBe('valid')
})

test.each([
  ['alice.bnb', 'alice.bnb'],
  [' Alice.BNB ', 'Alice.BNB'],
  ['小明。bnb', '小明.bnb'],
  ['pay.alice.bnb', 'pay.alice.bnb'],
  ['0xbabe.bnb', '0xbabe.bnb'],
  ['👩\u200d🚀.bnb', '👩🚀.bnb'],
])('behavior: %j is a name', (text, name) => {
  expect(parseAddress(text)).toEqual({ kind: 'name', name })
})

test.each(['alice', 'alice.', '.bnb', 'a..bnb', 'https://alice.bnb/x', 'alice@bnb.com', '3.14', '0x12.5'])(
  'behavior: %j is no name',
  (text) => {
    expect(parseAddress(text).kind).not.toBe('name')
  },
)

test.each(['0xf39F…2266', '0xf39F...2266', '0xf3..22', '0xf39f****2266', '0Xf39F…'])(
  'behavior: %j is shortened',
  (text) => {
    expect(parseAddress(text)).toEqual({ kind: 'shortened' })
  },
)

test.each(['0x', '', '0X', 'https://bscscan.com/tx/0x'])('behavior: %j and 64 digits is a transaction', (before) => {
  expect(parseAddress(`${before}${'aB'.repeat(32)}`)).toEqual({ kind: 'transaction' })
})

test.each([
  ['pairing', `wc:${'7f'.repeat(32)}@2?relay-protocol=irn&symKey=${'ab'.repeat(32)}`],
  ['pairing', 'WC:7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9@2'],
  ['otherChain', 'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=0.1'],
  ['otherChain', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['otherChain', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['otherChain', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['notAddress', '1a2b3c4d5e6f71819293a4b5c6d7e8'],
  ['notAddress', 'I have no address, but somebody told me that the others have one too'],
])('behavior: %s: %s', (kind, text) => {
  expect(parseAddress(text)).toEqual({ kind })
})

const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
test.each([
  words,
  `  ${words.toUpperCase()}\n`,
  words.replaceAll(' ', '\n'),
  words.replaceAll(' ', ', '),
  words.replaceAll(' ', '，'),
  words.replaceAll(' ', '、'),
  `The words of the wallet are ${words}`,
  words
    .split(' ')
    .map((word, index) => `${index + 1}. ${word}`)
    .join(' '),
  `${words} ${words}`,
  '的 一 是 在 不 了 有 和 人 这 中 大',
])('attack: a recovery phrase is neither shown nor stored: %j', (phrase) => {
  expect(parseAddress(phrase)).toEqual({ kind: 'secret' })
  const kept = hidePhrases(`${checksummed}\n${phrase}\n`)
  expect(kept).not.toMatch(/winner|一/i)
  expect(kept.startsWith(checksummed)).toBe(true)
  expect(parseAddress(kept.slice(checksummed.length))).toEqual({ kind: 'secret' })
})

test.each([
  `${checksummed}, Please check with David about the March bonus before paying any rewards`,
  'These are the addresses from last week that need checking before Friday please and thank you',
  'address,name,email,label,status,team,level,joined,directs,rewards,grade,bound,note,total',
])('behavior: a sentence or the head of a table is no recovery phrase: %j', (text) => {
  expect(hidePhrases(text)).toBe(text)
})

test('behavior: the letter O in place of the first zero is named', () => {
  expect(parseAddress(`O${checksummed.slice(1)}`)).toEqual({ kind: 'characters', found: 'O' })
  expect(parseAddress('ox')).toEqual({ kind: 'characters', found: 'o' })
})

test('behavior: digits after a whole address are too many', () => {
  expect(parseAddress(`${checksummed}ab`)).toEqual({ kind: 'tooLong', extra: 2 })
  expect(parseAddress(`0x${'ab'.repeat(33)}`)).toEqual({ kind: 'tooLong', extra: 26 })
})

test('behavior: one letter in the wrong case fails the checksum', () => {
  expect(parseAddress(checksummed.replace('d8dA', 'd8da')).kind).toBe('checksum')
})

test('behavior: full-width characters are normalized', () => {
  expect(parseAddress('０ｘｄ８')).toEqual({ kind: 'prefix', text: '0xd8', missing: 38 })
})

test.each([
  ['', { kind: 'empty' }],
  [' \u200b', { kind: 'empty' }],
  ['0', { kind: 'prefix', text: '0', missing: 41 }],
  ['0x', { kind: 'prefix', text: '0x', missing: 40 }],
  ['0xzz', { kind: 'characters', found: 'z' }],
  ['hello', { kind: 'notAddress' }],
])('behavior: parses %j', (text, expected) => {
  expect(parseAddress(text)).toEqual(expected)
})

test('behavior: shortens to the first and last four characters', () => {
  expect(shorten(checksummed)).toBe('0xd8…6045')
})
