import { createHash, type Hash } from 'node:crypto'
import type { EventKind } from '../../../eventTables.ts'
import type { EventRow } from './eventRow.ts'

/**
 * Events of one kind and one community in log order, each as `block,logIndex,timestamp,member,value;`. An unbind has
 * the value "-".
 */
export type EventText = { community: string; kind: EventKind; count: number; events: string }

/** Number and SHA-256 of the events of each community and kind in a range of final blocks, both ends included. */
export type RangeDigest = { from: number; to: number; digests: Readonly<Record<string, Digest>> }
type Digest = { count: number; sha256: string }

/** A range whose digests grow with the events that are added. */
export type GrowingRange = {
  from: number
  to: number
  rows: number
  hashes: Map<string, { count: number; hash: Hash }>
}

export type Difference = { community: string; expected: number; found: number }

export const startRange = (from: number): GrowingRange => ({ from, to: from - 1, rows: 0, hashes: new Map() })

/** Adds the events of the next blocks, in place. */
export function growRange(range: GrowingRange, texts: Iterable<EventText>, to: number): void {
  for (const { community, kind, count, events } of texts) {
    const key = `${community} ${kind}`
    const known = range.hashes.get(key) ?? { count: 0, hash: createHash('sha256') }
    known.hash.update(events, 'latin1')
    range.hashes.set(key, { count: known.count + count, hash: known.hash })
    range.rows += count
  }
  range.to = to
}

/** Returns the digests of all events added so far; the range can grow further. */
export function digestRange({ from, to, hashes }: GrowingRange): RangeDigest {
  const digests = [...hashes].map(([key, { count, hash }]) => [key, { count, sha256: hash.copy().digest('hex') }])
  return { from, to, digests: Object.fromEntries(digests) }
}

/** Finds the communities whose events differ between two digests of the same range. */
export function compareDigests(expected: RangeDigest, found: RangeDigest): Difference[] {
  const keys = [...new Set([...Object.keys(expected.digests), ...Object.keys(found.digests)])]
  const differing = keys.filter((key) => expected.digests[key]?.sha256 !== found.digests[key]?.sha256)
  return differing.map((key) => ({
    community: key.split(' ')[0] ?? '',
    expected: expected.digests[key]?.count ?? 0,
    found: found.digests[key]?.count ?? 0,
  }))
}

/** Formats rows, which are in log order, like the tables. */
export function toEventTexts(rows: readonly EventRow[]): EventText[] {
  const texts = new Map<string, EventText>()
  for (const row of rows) {
    const { community, kind, block, logIndex, timestamp, member } = row
    const value = row.kind === 'bind' ? (row.referrer ?? '-') : row.amount
    const known = texts.get(`${community} ${kind}`) ?? { community, kind, count: 0, events: '' }
    known.count++
    known.events += `${block},${logIndex},${timestamp},${member},${value};`
    texts.set(`${community} ${kind}`, known)
  }
  return [...texts.values()]
}
