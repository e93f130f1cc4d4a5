import { type DatabaseFault, databaseFaults, type ReaderReport } from '@lineage/database'
import type { Community, Progress, Reason, Status, Warning } from '@lineage/referral-api'
import { withheldReason } from '@lineage/referral-api/schemas'
import type { Followed, Follower } from './createFollower.ts'

/** `reason`: `null` if no reader has reported it yet. */
type Refusal = { message: string; reason: Community['withheld'] }

export type StatusParameters = {
  follower: Pick<Follower, 'followed' | 'reports' | 'fault'>
  /** Age in seconds at which the newest block is too old; 0 for never. */
  maxAge: number
  now?: () => number
}

/** Seconds without a report after which a reader counts as silent. It reports every two seconds. */
const silence = 10
const firstCheck = 'The first members are being checked against the contract.'

export type IndexState = ReturnType<typeof createStatus>

/** Creates the status of the index from the tables, the readers' reports and the forests. */
export function createStatus({ follower, maxAge, now = () => Date.now() / 1_000 }: StatusParameters) {
  let known: Reason[] = []
  let newest: { block: number; at: number } | undefined

  const findReplaced = () => follower.followed.find(({ row }) => row?.replaced)?.row?.replaced ?? undefined

  const rowOf = (community: string) => follower.followed.find((one) => one.community.id === community)?.row

  function withheld(community: string): string | undefined {
    const row = rowOf(community)
    return findReplaced() ?? (row?.checked === false ? firstCheck : (row?.withheld ?? undefined))
  }

  function refusal(community: string): Refusal | undefined {
    const { checked, withheld: message } = rowOf(community) ?? {}
    if (findReplaced() !== undefined || !checked || !message) return undefined
    const warnings = follower.reports().flatMap(({ report }) => report.warnings)
    const reasons = warnings.flatMap((one) => (one.community === community ? (toReason(one) ?? []) : []))
    return { message, reason: reasons[0] ?? null }
  }

  function status(): Status {
    const { followed } = follower
    const reports = follower.reports()
    const replaced = findReplaced()
    const base = { ...toStatus(followed, reports[0]?.report, replaced), ...mergeReports(reports, followed) }
    const time = now()
    if (base.asOf && newest?.block !== base.asOf.block) newest = { block: base.asOf.block, at: time }
    const facts: Facts = {
      now: time,
      maxAge,
      status: base,
      stillFor: newest ? time - newest.at : 0,
      fault: follower.fault(),
      silentFor: findSilence(reports),
      nodes: reports.some(({ report }) => report.nodes === 'unusable') ? 'unusable' : 'usable',
      replaced,
      withheld: base.state === 'ready' ? findWithheld(followed, withheld) : [],
    }
    known = dateReasons(findReasons(facts), known, facts)
    const warnings = [...base.warnings, ...findWarnings(known)]
    return { ...base, warnings, reasons: known }
  }
  return {
    /** Returns the status, and dates its reasons: call it regularly. */
    status,
    /** Returns the reason why a community of the configuration is not served, even if its forest is complete. */
    withheld,
    /** Returns why it is withheld until the operator corrects its configuration; `undefined` if it is not. */
    refusal,
  }
}

const toReason = ({ kind }: Warning) => withheldReason.safeParse(kind).data

/** Returns the seconds for which a reader has been silent; `undefined` if none is. */
function findSilence(reports: ReturnType<Follower['reports']>): number | undefined {
  const age = Math.max(0, ...reports.map((one) => one.age))
  return age > silence ? age : undefined
}

function findWithheld(followed: readonly Followed[], withheld: IndexState['withheld']): Facts['withheld'] {
  return followed.flatMap(({ community: { id }, view }) => {
    const message = withheld(id) ?? (view ? undefined : 'Its events are still being read from the chain.')
    return message === undefined ? [] : [{ community: id, message }]
  })
}

/** Returns the faults among the reasons that the operator should fix. */
const findWarnings = (reasons: readonly Reason[]): Warning[] =>
  reasons.flatMap(({ code, message }) =>
    code === 'reader_silent' || code === 'tables_damaged' ? [{ kind: code, node: null, community: null, message }] : [],
  )

type Base = Omit<Status, 'warnings' | 'spotChecks' | 'reasons'>

function toStatus(followed: readonly Followed[], report: ReaderReport | undefined, replaced: string | undefined): Base {
  const rows = followed.flatMap(({ row }) => row ?? [])
  const begun = rows.filter(({ block, start_block: start }) => block >= start)
  const blocks = [...begun.map(({ block }) => block), ...(report?.headBlock == null ? [] : [report.headBlock])]
  const headBlock = blocks.length > 0 ? Math.max(...blocks) : null
  const loaded = followed.filter(({ view }) => view !== undefined)
  const moments = loaded.flatMap(({ row, view }) => (row?.checked && view ? view.asOf : []))
  const [asOf] = moments.sort((left, right) => left.block - right.block)
  if (asOf && replaced === undefined) return { state: 'ready', progress: null, asOf, headBlock, note: null }
  const progress = toProgress(followed, report)
  const note = replaced ?? (loaded.length > 0 ? firstCheck : (report?.note ?? null))
  return { state: progress.phase === 'starting' ? 'starting' : 'indexing', progress, asOf: null, headBlock, note }
}

function toProgress(followed: readonly Followed[], report: ReaderReport | undefined): Progress {
  const rows = followed.flatMap(({ row }) => row ?? [])
  if (report?.progress && !rows.some(({ state }) => state === 'live')) return report.progress
  if (rows.length === 0) return { phase: 'starting', done: 0, total: 0 }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + Math.max(value, 0), 0)
  const total = sum(rows.map(({ block, start_block: start }) => block - start))
  const done = sum(
    followed.map(({ set, row, view }) => (row ? (view ? row.block : set.applied.block) - row.start_block : 0)),
  )
  return { phase: 'loading', done: Math.min(done, total), total }
}

/** Merges the findings of the readers about the communities that are followed. */
function mergeReports(reports: ReturnType<Follower['reports']>, followed: readonly Followed[]) {
  const isFollowed = (id: string | null) => id === null || followed.some(({ community }) => community.id === id)
  return {
    warnings: reports.flatMap(({ report }) => report.warnings).filter(({ community }) => isFollowed(community)),
    spotChecks: reports.flatMap(({ report }) => report.spotChecks).filter(({ community }) => isFollowed(community)),
  } as Pick<Status, 'warnings' | 'spotChecks'>
}

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
  stale: ({ status: { asOf, headBlock }, now, maxAge }) =>
    asOf !== null &&
    isTooOld(now - asOf.timestamp, maxAge) &&
    [
      `The newest block is ${Math.round(now - asOf.timestamp)} seconds old.`,
      asOf.block === headBlock &&
        'The nodes have no newer one: if the number of the block grows, the clock of this server is wrong.',
    ]
      .filter(Boolean)
      .join(' '),
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
