import fc from 'fast-check'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { isAddressList } from './parseAddress.ts'
import { listLimit, parseList } from './parseList.ts'

const [a, b, c] = [addressOf(1), addressOf(2), addressOf(3)]
const list = (...addresses: string[]) => ({ addresses })
const read = (text: string) => {
  const { entries, ...rest } = parseList(text)
  return { addresses: entries.map(({ address }) => address), ...rest }
}

const written = fc
  .record({
    index: fc.nat(40),
    form: fc.constantFrom(
      (it: string) => it,
      (it: string) => it.toLowerCase(),
      (it: string) => `0X${it.slice(2).toUpperCase()}`,
      (it: string) => it.slice(2).toLowerCase(),
      (it: string) => `"${it}"`,
      (it: string) => `ethereum:${it}@56`,
      (it: string) => `https://bscscan.com/address/${it}#code`,
      (it: string) => `老王：${it}`,
    ),
  })
  .map(({ index, form }) => ({ address: addressOf(index), text: form(addressOf(index)) }))
const between = fc.constantFrom('\n', '\r\n', ',', ', ', ';', '\t', ' ', '\n\n', '，', '、', '\u3000', '|', '\u2028')

test('property: any separators: each address once, in order', () => {
  fc.assert(
    fc.property(fc.array(written, { maxLength: 60 }), between, fc.constantFrom('', '\uFEFF'), (all, part, mark) => {
      const distinct = [...new Set(all.map(({ address }) => address))]
      expect(read(mark + all.map(({ text }) => text).join(part))).toEqual({
        ...list(...distinct),
        repeated: all.length - distinct.length,
        beyond: 0,
        unread: [],
      })
    }),
  )
})

test('property: each text meant as an address is counted', () => {
  const wrong = fc.constantFrom(
    '0x',
    '0x12',
    `0x${'a'.repeat(41)}`,
    `Ox${'1'.repeat(40)}`,
    '0xzz',
    'li.bnb',
    'b'.repeat(39),
  )
  const item = fc.oneof(
    written.map(({ text }) => ({ kind: 'right' as const, text })),
    wrong.map((text) => ({ kind: 'wrong' as const, text })),
  )
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), between, (all, part) => {
      const { entries, repeated, unread } = parseList(all.map(({ text }) => text).join(part))
      expect(entries.length + repeated).toBe(all.filter(({ kind }) => kind === 'right').length)
      expect(unread.map(({ text }) => text)).toEqual(all.flatMap(({ kind, text }) => (kind === 'wrong' ? [text] : [])))
    }),
  )
})

test('property: never throws; every entry is checksummed and has its line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
      const { entries, unread } = parseList(text)
      for (const { address } of entries) expect(address).toBe(getAddress(address))
      const count = text.normalize('NFKC').split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).length
      for (const { line } of [...entries, ...unread]) expect(line).toBeLessThanOrEqual(count)
    }),
  )
})

test('behavior: takes the first 500 addresses and counts the others', () => {
  const text = Array.from({ length: 812 }, (_, index) => addressOf(index)).join('\n')
  const { entries, beyond, repeated } = parseList(`${text}\n${text}`)
  expect(entries).toHaveLength(listLimit)
  expect(entries.at(-1)).toEqual({ address: addressOf(499), line: 500 })
  expect({ beyond, repeated }).toEqual({ beyond: 312, repeated: 812 })
})

test('behavior: a spreadsheet with a header, names, amounts and hashes', () => {
  const hash = `0x${'ab'.repeat(32)}`
  const text = `\uFEFFNo,Address,Name,Amount,Txhash\r\n1,"${a}","Wang, Li",1000.5,${hash}\r\n2,${b.toLowerCase()},0,3,${hash}\r\n\r\n3,,Zhao,7,\r\n`
  expect(read(text)).toMatchObject({
    ...list(a, b),
    unread: [{ line: 5, text: '3,,Zhao,7,', why: { kind: 'notAddress' } }],
  })
})

test('behavior: invalid entries have their line and reason', () => {
  const text = [
    a,
    b.slice(0, -3),
    `${c.replace(/[a-f]/, (it) => it.toUpperCase()).slice(0, 41)}g`,
    `0x${'ab'.repeat(32)}`,
    '老王',
  ].join('\n')
  expect(parseList(text).unread.map(({ line, why }) => [line, why.kind])).toEqual([
    [2, 'prefix'],
    [3, 'characters'],
    [4, 'transaction'],
    [5, 'notAddress'],
  ])
})

test('behavior: a truncated address is not joined with the number after it', () => {
  expect(read(`${a.slice(0, 41).toLowerCase()} 7\n${b}`)).toMatchObject({ ...list(b), unread: [{ line: 1 }] })
})

test('behavior: addresses without separators, as a one-line field joins them', () => {
  expect(read(a + b + c)).toMatchObject({ ...list(a, b, c), unread: [] })
})

test('behavior: groups of four', () => {
  const formatInGroups = (address: string) => `0x ${address.slice(2).match(/.{4}/g)?.join(' ')}`
  expect(read(`${formatInGroups(a)}\n${formatInGroups(b)}`)).toMatchObject({ ...list(a, b), unread: [] })
})

test.each([
  ['two addresses', `${a} ${b}`, true],
  ['a good one and a cut one', `${a}\n${b.slice(0, 20)}`, true],
  ['two without 0x', `${a.slice(2)}\n${b.slice(2)}`, true],
  ['one', a, false],
  ['one over two lines', `${a.slice(0, 20)}\n${a.slice(20)}`, false],
  ['one with its name', `Wang\n${a}`, false],
  ['the payment of a token', `ethereum:${b}@56/transfer?address=${a}`, false],
  ['a transaction hash', `0x${'ab'.repeat(32)}`, false],
  ['a word', 'hello\nworld', false],
  ['nothing', '', false],
])('behavior: isAddressList, %s', (_, text, expected) => {
  expect(isAddressList(text)).toBe(expected)
})

test('attack: of a recovery phrase beside addresses only its line is named', () => {
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  expect(read(`${a}\n${words}\nwc:1@2\n${b}`)).toMatchObject({
    ...list(a, b),
    unread: [
      { line: 2, text: '█████', why: { kind: 'secret' } },
      { line: 3, text: 'wc:1@2', why: { kind: 'pairing' } },
    ],
  })
})
