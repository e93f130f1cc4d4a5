import * as fc from 'fast-check'
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, type Hex, numberToHex, size, slice } from 'viem'
import { expect, test } from 'vitest'
import { logAt } from '../../test/blocks.ts'
import { createEventShapes, findMisfit, type ShapedLog } from './eventShapes.ts'

const address = '0x00000000000000000000000000000000000000c0'
const indexedFlags = fc
  .array(fc.boolean(), { minLength: 1, maxLength: 6 })
  .filter((flags) => flags.filter(Boolean).length < 4)
const eventWith = (flags: readonly boolean[]): AbiEvent => ({
  type: 'event',
  name: 'Bound',
  inputs: flags.map((indexed, index) => ({ name: `a${index}`, type: 'address', indexed })),
})

function logOf(event: AbiEvent): ShapedLog {
  const args = Object.fromEntries(event.inputs.map(({ name }) => [name, address]))
  const inData = event.inputs.filter(({ indexed }) => !indexed)
  return logAt(4, 0, {
    address,
    topics: encodeEventTopics({ abi: [event], args } as never),
    data: encodeAbiParameters(inData, inData.map(() => address) as never),
  }) as never
}

test('property: an event fits as encoded, and not without its last topic or the end of its data', () => {
  fc.assert(
    fc.property(indexedFlags, (flags) => {
      const event = eventWith(flags)
      const events = createEventShapes([{ address, event }])
      const log = logOf(event)
      const shorter = (bytes: number): Hex => (bytes === 0 ? '0x' : slice(log.data, 0, bytes))
      expect(findMisfit(events, [{ ...log, data: `${log.data}00` }])).toBeUndefined()
      if (log.topics.length > 1)
        expect(findMisfit(events, [log, { ...log, topics: log.topics.slice(0, -1) }])?.description).toBe(
          `it returned a Bound event with ${log.topics.length - 1} of ${log.topics.length} topics`,
        )
      if (log.data !== '0x')
        expect(findMisfit(events, [{ ...log, data: shorter(size(log.data) - 1) }])?.description).toBe(
          `it returned a Bound event with ${size(log.data) - 1} bytes of data instead of at least ${size(log.data)}`,
        )
    }),
  )
})

test('behavior: an event that is configured with two forms may have either', () => {
  const [left, right] = [eventWith([true, false]), eventWith([false, true])]
  const events = createEventShapes([left, right].map((event) => ({ address, event })))
  expect(findMisfit(events, [logOf(left), logOf(right)])).toBeUndefined()
  expect(findMisfit(events, [logOf(eventWith([true, true]))])).toBeDefined()
})

test('behavior: an address with a checksum is the same contract, and other contracts do not count', () => {
  const event = eventWith([true])
  const other = numberToHex(7, { size: 20 })
  const events = createEventShapes([{ address: address.toUpperCase().replace('0X', '0x') as Hex, event }])
  const cut = { ...logOf(event), topics: logOf(event).topics.slice(0, 1) }
  expect(findMisfit(events, [cut])).toBeDefined()
  expect(findMisfit(events, [{ ...cut, address: other }])).toBeUndefined()
})
