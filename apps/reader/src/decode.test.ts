import { bindPresets, type Community, parseConfig } from '@lineage/communities'
import * as fc from 'fast-check'
import {
  type AbiEvent,
  type Address,
  decodeEventLog,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  numberToHex,
  parseAbiItem,
  toHex,
} from 'viem'
import { expect, test } from 'vitest'
import { logAt } from '../test/blocks.ts'
import { addressOf, testCommunity } from '../test/community.ts'
import { createDecoder } from './decode.ts'
import type { HistoryLog } from './history/HistorySource.ts'

const open = (changes: Parameters<typeof testCommunity>[0]) =>
  parseConfig({ communities: [testCommunity(changes)] }).communities[0] as Community

/** Returns a log of an event with these arguments. */
function logOf(address: Address, event: AbiEvent, values: readonly unknown[]): HistoryLog {
  const named = event.inputs.map((input, index) => ({ input, value: values[index] }))
  const indexed = named.filter(({ input }) => input.indexed)
  const rest = named.filter(({ input }) => !input.indexed)
  const args = Object.fromEntries(indexed.map(({ input, value }) => [input.name, value]))
  return logAt(7, 3, {
    address: address.toLowerCase(),
    topics: encodeEventTopics({ abi: [event], eventName: event.name, args } as never),
    data: encodeAbiParameters(
      rest.map(({ input }) => input),
      rest.map(({ value }) => value),
    ),
    removed: undefined,
  }) as unknown as HistoryLog
}

const someValue = (type: string) => (type === 'address' ? addressOf(9) : 7n)

test.each(Object.entries(bindPresets))('behavior: the preset %s in its orders', (preset, { event, orders, ...one }) => {
  for (const order of orders === 'either' ? (['memberFirst', 'referrerFirst'] as const) : [orders]) {
    const community = open({ event: undefined, member: undefined, referrer: undefined, preset, order } as never)
    const item = parseAbiItem(event) as AbiEvent
    const where: Record<string, number> = 'where' in one ? one.where : {}
    const more = item.inputs
      .slice(2)
      .map(({ type, name = '' }) => BigInt(where[name] ?? 0) || (name in where ? 0n : someValue(type)))
    const pair = [addressOf(1), addressOf(2)]
    const log = logOf(community.address, item, [...(order === 'memberFirst' ? pair : pair.toReversed()), ...more])
    const decoder = createDecoder(community)
    const [row, ...others] = decoder.decode(log, 1_700_000_000) ?? []
    expect(others).toEqual([])
    expect(row).toMatchObject({
      ...{ block: 7, logIndex: 3, kind: 0, time: 1_700_000_000, txIndex: 3, tx: log.transactionHash },
      ...{ member: addressOf(1), other: addressOf(2), amount: null },
    })
    expect(row && decoder.encode(row)).toEqual({ ...log, removed: undefined })
  }
})

test('behavior: rewards, volumes and unbinds, several of them of one log', () => {
  const paid = 'event Paid(address from, address to, uint256 amount, uint256 level)'
  const community = open({
    rebind: 'last',
    unbind: { event: 'event Left(address indexed who)', member: 'who' },
    rewards: { event: paid, member: 'to', amount: 'amount', from: 'from' },
    volumes: { event: paid, member: 'from', amount: 'amount' },
  })
  const { decode, encode } = createDecoder(community)
  const log = logOf(community.address, parseAbiItem(paid) as AbiEvent, [addressOf(1), addressOf(2), 2n ** 255n, 3n])
  const rows = decode(log, 5) ?? []
  expect(rows).toMatchObject([
    { kind: 1, member: addressOf(2), other: addressOf(1), amount: 2n ** 255n },
    { kind: 2, member: addressOf(1), other: null, amount: 2n ** 255n },
  ])
  for (const row of rows) expect(encode(row)).toEqual({ ...log, removed: undefined })
  const left = logOf(community.address, parseAbiItem('event Left(address indexed who)') as AbiEvent, [addressOf(4)])
  expect(decode(left, 5)).toMatchObject([{ kind: 0, member: addressOf(4), other: null, amount: null }])
})

test('behavior: other events are left out, and those with other arguments are told', () => {
  const community = open({ startBlock: 5 })
  const { decode, filter } = createDecoder(community)
  const [{ address = '0x', topic = '0x' } = {}] = filter
  const log = logOf(community.address, community.binds[0]?.event as AbiEvent, [addressOf(1), addressOf(2)])
  expect(decode(log, 5)).toHaveLength(1)
  expect(decode({ ...log, address: address.toUpperCase().replace('0X', '0x') as Address }, 5)).toHaveLength(1)
  expect(decode({ ...log, address: addressOf(8) }, 5)).toEqual([])
  expect(decode({ ...log, topics: [addressOf(8)] }, 5)).toEqual([])
  expect(decode({ ...log, blockNumber: '0x4' }, 5)).toEqual([])
  expect(decode({ ...log, topics: [topic] }, 5)).toBeUndefined()
  expect(decode({ ...log, topics: [topic, toHex(1, { size: 32 })] }, 5)).toBeUndefined()
})

test('property: arguments are found beside arguments of any type, as viem finds them', () => {
  const types = fc.constantFrom<[type: string, value: unknown]>(
    ['uint8', 3],
    ['bytes32', toHex(9, { size: 32 })],
    ['string', 'a text that is longer than thirty-two bytes'],
    ['bytes', '0x1234'],
    ['uint16[3]', [1, 2, 3]],
    ['uint16[]', [1, 2]],
    ['string[2]', ['a', 'b']],
    ['(uint8 a, address b)', { a: 1, b: addressOf(5) }],
    ['(uint8 a, string b)[2]', [1, 2].map((a) => ({ a, b: 'c' }))],
    ['address[2][2]', [1, 2].map(() => [addressOf(5), addressOf(6)])],
  )
  const other = fc.tuple(types, fc.constant('data' as const))
  const address = fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }).map((value) => numberToHex(value, { size: 20 }))
  const place = fc.constantFrom('indexed', '')
  fc.assert(
    fc.property(
      fc.array(other, { maxLength: 4 }),
      fc.nat(4),
      fc.nat(5),
      address,
      address,
      place,
      place,
      (others, first, second, member, referrer, ofMember, ofReferrer) => {
        const inputs = others.map(([[type, value]], index) => ({ text: `${type} o${index}`, value: value as unknown }))
        inputs.splice(first, 0, { text: `address ${ofMember} member`.replace('  ', ' '), value: member })
        inputs.splice(second, 0, { text: `address ${ofReferrer} referrer`.replace('  ', ' '), value: referrer })
        const event = `event Bound(${inputs.map(({ text }) => text).join(', ')})`
        const item = parseAbiItem(event as never) as AbiEvent
        const log = logOf(
          addressOf(1),
          item,
          inputs.map(({ value }) => value),
        )
        const community = open({ address: addressOf(1), event })
        const [row] = createDecoder(community).decode(log, 1) ?? []
        const decoded = decodeEventLog({ abi: [item], topics: log.topics as [Hex], data: log.data })
        const { args } = decoded as unknown as { args: Record<string, Address> }
        expect([row?.member, row?.other]).toEqual([args.member?.toLowerCase(), args.referrer?.toLowerCase()])
        expect(row && createDecoder(community).encode(row)).toEqual({ ...log, removed: undefined })
      },
    ),
    { numRuns: 300 },
  )
})
