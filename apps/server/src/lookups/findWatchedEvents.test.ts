import { checksumAddress } from '@lineage/communities'
import { createForest } from '@lineage/forest'
import * as fc from 'fast-check'
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import type { EventRow } from '../follow/events.ts'
import { type FindParameters, findWatchedEvents, type WatchedEvent } from './findWatchedEvents.ts'

function find(parameters: FindParameters): WatchedEvent[] {
  const slices = findWatchedEvents(parameters)
  for (;;) {
    const slice = slices.next()
    if (slice.done) return slice.value
  }
}

const addressOf = (index: number) => numberToHex(index + 1, { size: 20 })
const sizes = [2, 4, 7]

/** Generates blocks of binds, unbinds and volumes between few addresses. */
const event = fc.record({
  kind: fc.constantFrom('bind', 'bind', 'bind', 'volume', 'unbind'),
  member: fc.nat(9),
  referrer: fc.nat(9),
})
const chains = fc.array(fc.array(event, { maxLength: 4 }), { minLength: 1, maxLength: 25 })

function toRows(
  blocks: typeof chains extends fc.Arbitrary<infer Chain> ? Chain : never,
  isMoving: boolean,
): EventRow[] {
  return blocks.flatMap((events, block) =>
    events.flatMap(({ kind, member, referrer }, logIndex): EventRow[] => {
      const blockHash = numberToHex(block + 1, { size: 32 })
      const base = { block, logIndex, blockHash, timestamp: 100 + block, member: addressOf(member) }
      if (kind === 'volume') return [{ ...base, kind: 'volume', amount: BigInt(referrer) }]
      if (kind === 'unbind') return isMoving ? [{ ...base, kind: 'bind', referrer: null }] : []
      return [{ ...base, kind: 'bind', referrer: addressOf(referrer) }]
    }),
  )
}

/** Returns the expected events of the watched addresses, computed with maps alone, block by block. */
function replay(
  rows: readonly EventRow[],
  watched: readonly string[],
  { isMoving, after, upTo }: { isMoving: boolean; after: number; upTo: number },
) {
  const parents = new Map<string, string | null>()
  const bound = new Set<string>()
  const upline = (member: string): string[] => {
    const parent = parents.get(member)
    return parent ? [parent, ...upline(parent)] : []
  }
  const teamOf = (top: string) => [...parents.keys()].filter((one) => upline(one).includes(top)).length
  const told: string[] = []
  for (const block of new Set(rows.map((row) => row.block))) {
    const before = new Map(watched.map((one) => [one, teamOf(one)]))
    const uplines = new Map([...parents.keys()].map((one) => [one, upline(one)]))
    const own = rows.filter((row) => row.block === block)
    const statuses = own.map((row) => (row.kind === 'bind' ? bind(row.member, row.referrer) : 'none'))
    const joins = new Map<string, number>()
    const tell = (row: EventRow, address: string, what: string) =>
      told.push(`${block}.${row.logIndex} ${address} ${what}`)
    for (const [index, row] of own.entries()) {
      const { member } = row
      if (row.kind === 'volume') {
        for (const one of watched)
          if (one === member || upline(member).includes(one)) tell(row, one, `volume ${row.amount}`)
      } else if (row.kind === 'bind' && statuses[index] !== 'bound') {
        for (const one of watched)
          if (one === member || one === row.referrer) tell(row, one, `irregular ${statuses[index]}`)
      } else if (own.findLastIndex((other, at) => other.member === member && statuses[at] === 'bound') === index) {
        const [was, is] = [uplines.get(member) ?? [], upline(member)]
        for (const one of watched) {
          if (one === member) tell(row, one, `moved ${was[0] ?? null} ${is[0] ?? null}`)
          else if (is[0] === one && was[0] !== one) tell(row, one, 'direct')
          else if (is.includes(one) && is[0] !== one && !was.includes(one)) tell(row, one, 'team')
          else continue
          if (one !== member) joins.set(one, index)
        }
      }
    }
    for (const [one, index] of joins) {
      const size = sizes.findLast((each) => each > (before.get(one) ?? 0) && each <= teamOf(one))
      if (size !== undefined) tell(own[index] as EventRow, one, `reached ${size}`)
    }
  }
  const blockOf = (line: string) => Number(line.split('.')[0])
  return told.filter((line) => blockOf(line) > after && blockOf(line) <= upTo).sort()

  function bind(member: string, referrer: string | null): string {
    if (member === referrer) return 'self'
    if (referrer === null && !bound.has(member)) return 'duplicate'
    if (bound.has(member) && (!isMoving || parents.get(member) === referrer)) return 'duplicate'
    if (referrer !== null && upline(referrer).includes(member)) return 'cycle'
    if (referrer !== null && !parents.has(referrer)) parents.set(referrer, null)
    parents.set(member, referrer)
    bound.add(member)
    return 'bound'
  }
}

function toLines(items: readonly WatchedEvent[]): string[] {
  return items
    .flatMap((item) =>
      item.involved.flatMap(({ address, as, reached }) => {
        const at = `${item.block}.${item.logIndex} ${address} `
        const lower = (text: string | null) => text?.toLowerCase() ?? null
        if (item.kind === 'volume') return [`${at}volume ${item.amount}`]
        if (item.status !== 'bound') return [`${at}irregular ${item.status}`]
        const place =
          as === 'self' ? `moved ${lower(item.from)} ${lower(item.to)}` : as === 'referrer' ? 'direct' : 'team'
        return [`${at}${place}`, ...(reached === null ? [] : [`${at}reached ${reached}`])]
      }),
    )
    .sort()
}

test.each([
  ['the first bind counts', false],
  ['a later bind moves', true],
])('property: finds the same events as a naive replay, in any range of blocks; %s', (_, isMoving) => {
  const ranges = fc.record({ after: fc.nat(24), length: fc.option(fc.nat(12)) })
  fc.assert(
    fc.property(chains, ranges, fc.uniqueArray(fc.nat(9), { minLength: 1 }), (blocks, { after, length }, indexes) => {
      const upTo = after + (length ?? Number.MAX_SAFE_INTEGER)
      const rows = toRows(blocks, isMoving)
      const forest = createForest({ rebind: isMoving })
      for (const row of rows) row.kind === 'bind' ? forest.bind(row) : row.kind === 'volume' && forest.addVolume(row)
      const watched = indexes.map(addressOf)
      const found = find({
        forest,
        isMoving,
        watched: new Set(watched),
        rows: rows.filter(({ block }) => block > after && block <= upTo),
        upTo: length === null ? 'newest' : upTo,
        sizes,
      })
      expect(toLines(found)).toEqual(replay(rows, watched, { isMoving, after, upTo }))
    }),
    { numRuns: 600 },
  )
})

test('behavior: events have addresses with checksums, and their involved addresses are in lower case', () => {
  const forest = createForest()
  const [member, referrer] = [numberToHex(0xabcdef, { size: 20 }), numberToHex(0xfedcba, { size: 20 })]
  const row: Extract<EventRow, { kind: 'bind' }> = {
    kind: 'bind',
    block: 3,
    logIndex: 1,
    blockHash: numberToHex(9, { size: 32 }),
    timestamp: 7,
    member,
    referrer,
  }
  forest.bind(row)
  const watched = new Set([referrer])
  expect(find({ forest, isMoving: false, watched, rows: [row], upTo: 'newest' })).toEqual([
    {
      kind: 'bind',
      block: 3,
      logIndex: 1,
      hash: row.blockHash,
      timestamp: 7,
      member: checksumAddress(member),
      referrer: checksumAddress(referrer),
      status: 'bound',
      from: null,
      to: checksumAddress(referrer),
      isUndated: false,
      involved: [{ address: referrer, as: 'referrer', reached: null }],
    },
  ])
})
