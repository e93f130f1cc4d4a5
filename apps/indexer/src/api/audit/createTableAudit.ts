import type { Warning } from '@lineage/referral-api'
import type { DatabaseFault } from '../lib/describeError.ts'
import type { Tables } from '../tables/createTables.ts'
import type { EventRow } from '../tables/eventRow.ts'
import { lastLogIndex } from '../tables/position.ts'
import {
  compareDigests,
  type Difference,
  digestRange,
  type EventText,
  growRange,
  type RangeDigest,
  startRange,
  toEventTexts,
} from '../tables/rangeDigest.ts'
import type { DigestStore } from './createDigestStore.ts'

export type TableAuditParameters = {
  startBlock: number
  tables: Pick<Tables, 'readFinal'>
  store: DigestStore
  log: (message: string) => void
  /** Number of rows after which a range ends. */
  limit?: number
}

export type TableAudit = ReturnType<typeof createTableAudit>

const saveInterval = 5_000
const checkInterval = 60_000

/** The state of an audit. */
type Audit = Required<TableAuditParameters> & {
  /** Ranges in order, without gaps. The last one may still grow. */
  ranges: RangeDigest[]
  /** The range to which rows are added: a new one, or number `at` of the ranges that are read again. */
  growing: ReturnType<typeof startRange>
  at: number
  /** Number of checks so far, which selects the next range. */
  checks: number
  checkedAt: number
  /** The last range that is stored. */
  saved: RangeDigest | undefined
  damages: Map<string, Difference>
}

/**
 * Creates the audit of final rows. It stores the number and digest of the rows in each range of blocks. If the tables
 * hold different rows later, some were lost or changed, and the community is withheld.
 */
export function createTableAudit({ limit = 50_000, ...parameters }: TableAuditParameters) {
  const { startBlock } = parameters
  const audit: Audit = {
    ...parameters,
    limit,
    ranges: [],
    growing: startRange(startBlock),
    at: 0,
    checks: 0,
    checkedAt: performance.now(),
    saved: undefined,
    damages: new Map(),
  }
  return {
    add: (texts: readonly EventText[], upTo: number) => add(audit, texts, upTo),
    addRows: (rows: readonly EventRow[], upTo: number) => addRows(audit, rows, upTo),
    check: () => check(audit),
    save: () => save(audit),
    restart: () => restart(audit),
    /** Returns the last block of the known range that contains the block after `block`. */
    borderAfter: (block: number): number | undefined => audit.ranges.find(({ to }) => to > block)?.to,
    /** Checks a part of the tables and saves new ranges. Resolves to the milliseconds until the next run. */
    async run(): Promise<number> {
      await save(audit)
      if (performance.now() - audit.checkedAt < checkInterval) return saveInterval
      audit.checkedAt = performance.now()
      await check(audit)
      return saveInterval
    },
    /** Returns the warnings of the audit. @param fault Reason why the tables cannot be read. */
    warnings: (fault?: DatabaseFault) => readWarnings(audit, fault),
  }
}

/** Starts again with the first range, after the forests were emptied. */
async function restart(audit: Audit): Promise<void> {
  audit.ranges = takeContiguous(await audit.store.load(), audit.startBlock)
  audit.saved = audit.ranges.at(-1)
  audit.growing = startRange(audit.startBlock)
  audit.at = 0
}

function note({ damages, log }: Audit, differences: readonly Difference[]): void {
  for (const difference of differences) {
    if (!damages.has(difference.community)) log(toMessage(difference))
    damages.set(difference.community, difference)
  }
}

function add(audit: Audit, texts: readonly EventText[], upTo: number): void {
  const { growing, ranges, at, limit } = audit
  if (upTo < growing.from) return
  growRange(growing, texts, upTo)
  const known = ranges[at]
  // After a kill, the tables are behind the digests until the remaining blocks are read from the chain again.
  if (known && upTo < known.to) return
  if (known && upTo === known.to) note(audit, compareDigests(known, digestRange(growing)))
  else if (known) {
    // The last range was compared and can grow.
    ranges.length = at
    audit.saved = undefined
  }
  const isLast = at >= ranges.length - 1
  if (growing.rows < limit && isLast) return
  ranges[audit.at++] = digestRange(growing)
  audit.growing = startRange(upTo + 1)
}

/** Adds rows. Rows of a known range are added separately, to compare them. */
function addRows(audit: Audit, rows: readonly EventRow[], upTo: number): void {
  const nextBorder = () => {
    const end = audit.ranges[audit.at]?.to
    return end !== undefined && end > audit.growing.to && end < upTo ? end : undefined
  }
  let rest = rows
  for (let border = nextBorder(); border !== undefined; border = nextBorder()) {
    const end = border
    add(audit, toEventTexts(rest.filter(({ block }) => block <= end)), end)
    rest = rest.filter(({ block }) => block > end)
  }
  add(audit, toEventTexts(rest), upTo)
}

/** Reads one of the known ranges again. */
async function check(audit: Audit): Promise<void> {
  const complete = audit.ranges.filter(({ to }) => to <= audit.growing.to)
  const known = complete[audit.checks++ % Math.max(complete.length, 1)]
  if (!known) return
  const after = { block: known.from - 1, logIndex: lastLogIndex }
  const { texts } = await audit.tables.readFinal({ after, upTo: known.to })
  const found = startRange(known.from)
  growRange(found, texts, known.to)
  note(audit, compareDigests(known, digestRange(found)))
}

/** Saves the ranges that are new or have grown. Digests of damaged rows must not become the expected ones. */
async function save(audit: Audit): Promise<void> {
  const { damages, growing, ranges, at, saved, store } = audit
  if (damages.size > 0 || growing.to < (ranges.at(-1)?.to ?? 0)) return
  const all = growing.to < growing.from ? ranges : [...ranges.slice(0, at), digestRange(growing)]
  const unsaved = saved ? all.filter(({ to }) => to > saved.to) : all
  if (unsaved.length > 0) await store.save(unsaved)
  audit.saved = all.at(-1)
}

function readWarnings({ damages }: Audit, fault: DatabaseFault | undefined): Warning[] {
  const base = { kind: 'tables_damaged', node: null } as const
  const found = [...damages.values()].map((difference) => {
    return { ...base, community: difference.community, message: toMessage(difference) }
  })
  return fault === 'damaged' ? [...found, { ...base, community: null, message: unreadable }] : found
}

const fix = 'Check the disk, then read everything anew: "start.ts reread".'
const unreadable = `The database reports that its tables are damaged. Nothing more is read from them. ${fix}`

function toMessage({ community, expected, found }: Difference): string {
  const rows = found === expected ? `other rows than before (${expected})` : `${found} rows of ${expected}`
  return `Community "${community}": the tables hold ${rows}, so a part of them was lost or changed. The community is not served. ${fix}`
}

/** Returns the leading ranges that follow each other without a gap. */
function takeContiguous(found: readonly RangeDigest[], startBlock: number): RangeDigest[] {
  let next = startBlock
  const end = found.findIndex(({ from, to }) => {
    if (from !== next) return true
    next = to + 1
    return false
  })
  return found.slice(0, end < 0 ? found.length : end)
}
