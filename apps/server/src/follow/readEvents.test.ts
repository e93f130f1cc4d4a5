import * as fc from 'fast-check'
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { eventKinds } from '../../../eventTables.ts'
import { parseEvents } from './parseEvents.ts'

const address = fc.bigInt(0n, 2n ** 160n - 1n).map((number) => numberToHex(number, { size: 20 }))
const position = { block: fc.nat(2 ** 32 - 1), logIndex: fc.nat(5), timestamp: fc.nat(2 ** 32 - 1) }
const event = fc.oneof(
  fc.record({
    kind: fc.constant('bind' as const),
    ...position,
    member: address,
    referrer: fc.oneof(address, fc.constant(null)),
  }),
  fc.record({
    kind: fc.constantFrom('reward' as const, 'volume' as const),
    ...position,
    member: address,
    amount: fc.bigInt(0n, 2n ** 256n - 1n),
  }),
)

test('property: parses the texts of all kinds in log order, events of one log by kind', () => {
  fc.assert(
    fc.property(fc.array(event), (unordered) => {
      const events = unordered.toSorted(
        (left, right) =>
          left.block - right.block ||
          left.logIndex - right.logIndex ||
          eventKinds.indexOf(left.kind) - eventKinds.indexOf(right.kind),
      )
      const toLine = (one: (typeof events)[number]) =>
        [
          one.block,
          one.logIndex,
          one.timestamp,
          one.member,
          'referrer' in one ? (one.referrer ?? '-') : one.amount,
        ].join(',')
      const texts = eventKinds.map((kind) => ({
        kind,
        events: events
          .filter((one) => one.kind === kind)
          .map((one) => `${toLine(one)};`)
          .join(''),
      }))
      // One object may be reused for many events.
      const found = Array.from(parseEvents(texts), (one) => {
        const row = { ...one, member: toAddress(one.member) }
        return 'referrer' in row
          ? { ...row, referrer: row.referrer && toAddress(row.referrer) }
          : { ...row, amount: toBigInt([...(row.amount as Uint32Array)].toReversed()) }
      })
      expect(found).toEqual(events)
    }),
  )
})

const toBigInt = (words: readonly number[]) => words.reduce((sum, word) => sum * 2n ** 32n + BigInt(word), 0n)
const toAddress = (words: string | Uint32Array) => numberToHex(toBigInt([...(words as Uint32Array)]), { size: 20 })

test.each([
  ['a referrer cut short', 'bind', `1,2,3,0x${'a'.repeat(40)},0x${'b'.repeat(39)};`],
  ['a negative amount', 'volume', `1,2,3,0x${'a'.repeat(40)},-5;`],
  ['more than 256 bits', 'reward', `1,2,3,0x${'a'.repeat(40)},${2n ** 256n};`],
  ['no end', 'volume', `1,2,3,0x${'a'.repeat(40)},5`],
] as const)('error: an event with %s', (_, kind, events) => {
  expect(() => [...parseEvents([{ kind, events }])]).toThrow('Not an event')
})
