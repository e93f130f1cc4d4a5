import { type DatabaseFault, databaseFaults } from '@lineage/database'
import type { Reason, Status } from '@lineage/referral-api'

/** State of the index at one moment. All times are in seconds. */
export type Facts = {
  now: number
  /** Age at which the newest block is too old; 0 for never. */
  maxAge: number
  status: Pick<Status, 'state' | 'asOf' | 'headBlock'>
  /** Time since the newest block in the tables has changed. */
  stillFor: number
  fault: DatabaseFault | undefined
  /** Time since the last report of a reader; `undefined` if it reports regularly. */
  silentFor: number | undefined
  nodes: 'usable' | 'unusable'
  /** Reason why nothing is served. */
  replaced: string | undefined
  withheld: readonly { community: string; message: string }[]
}

type Found = Omit<Reason, 'since' | 'age'>
type Finder = (facts: Facts) => string | false | undefined

/** Returns the reasons why the index is not ready, the most serious one first. */
export function findReasons(facts: Facts): Found[] {
  const found = Object.entries(finders).flatMap(([code, find]): Found | [] => {
    const message = find(facts)
    return message ? { code: code as keyof typeof finders, community: null, message } : []
  })
  return [...found, ...facts.withheld.map((one): Found => ({ code: 'community_withheld', ...one }))]
}

const finders = {
  chain_replaced: ({ replaced }) => replaced,
  tables_damaged: ({ fault }) => fault === 'damaged' && 'The database reports that its tables are damaged.',
  disk_full: ({ fault }) => fault === 'disk_full' && 'The disk of the database is full: free some space.',
  database_unavailable: ({ fault }) =>
    fault !== undefined &&
    fault !== 'damaged' &&
    fault !== 'disk_full' &&
    databaseFaults[fault].text.replace(/^./, (letter) => letter.toUpperCase()).replace(/$/, '.'),
  reader_silent: ({ silentFor, fault }) =>
    fault === undefined &&
    silentFor !== undefined &&
    `The reader has not reported for ${Math.round(silentFor)} seconds, so the index does not follow the chain.`,
  nodes_unavailable: ({ nodes }) => nodes === 'unusable' && 'No node can be read from.',
  indexing: ({ status, replaced, fault }) =>
    status.state !== 'ready' &&
    replaced === undefined &&
    fault === undefined &&
    'Events are still being read from the chain.',
  stale: ({ status: { asOf }, now, maxAge }) =>
    asOf !== null &&
    isTooOld(now - asOf.timestamp, maxAge) &&
    `The newest block is ${Math.round(now - asOf.timestamp)} seconds old.`,
  index_stuck: ({ status: { asOf, headBlock }, stillFor, maxAge }) =>
    asOf !== null &&
    isTooOld(stillFor, maxAge) &&
    (headBlock ?? 0) > asOf.block &&
    `The index has stood at block ${asOf.block} while the nodes are at block ${headBlock}.`,
} satisfies Partial<Record<Reason['code'], Finder>>

const isTooOld = (age: number, maxAge: number) => maxAge > 0 && age > maxAge

/** Adds to each reason the time since which it has held. A stale block counts from its own time. */
export function dateReasons(found: readonly Found[], known: readonly Reason[], { now, status }: Facts): Reason[] {
  return found.map((one) => {
    const before = known.find(({ code, community }) => code === one.code && community === one.community)
    const since = one.code === 'stale' ? (status.asOf?.timestamp ?? now) : (before?.since ?? now)
    return { ...one, since: Math.floor(since), age: Math.max(Math.floor(now - since), 0) }
  })
}
