import type { Warning } from '@lineage/referral-api'
import type { DigestStore } from './createDigestStore.ts'
import type { Tables } from './createTables.ts'
import type { DatabaseFault } from './describeError.ts'
import type { EventRow } from './eventRow.ts'
import { lastLogIndex } from './position.ts'
import {
  compareDigests,
  type Difference,
  digestRange,
  type EventText,
  growRange,
  type RangeDigest,
  startRange,
  toEventTexts,
} from './rangeDigest.ts'

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

/**
 * Creates the audit of final rows. It stores the number and digest of the rows in each range of blocks. If the tables
 * hold different rows later, some were lost or changed, and the community is withheld.
 */
export function createTableAudit({ startBlock, tables, store, log, limit = 50_000 }: TableAuditParameters) {
  /** Ranges in order, without gaps. The last one may still grow. */
  let ranges: RangeDigest[] = []
  /** The range to which rows are added: a new one, or number `at` of the ranges that are read again. */
  let growing = startRange(startBlock)
  let at = 0
  let nextCheck = 0
  let checkedAt = performance.now()
  let saved: RangeDigest | undefined
  const damages = new Map<string, Difference>()

  function note(differences: readonly Difference[]): void {
    for (const difference of differences) {
      if (!damages.has(difference.community)) log(toMessage(difference))
      damages.set(difference.community, difference)
    }
  }

  function add(texts: readonly EventText[], upTo: number): void {
    if (upTo < growing.from) return
    growRange(growing, texts, upTo)
    const known = ranges[at]
    // After a kill, the tables are behind the digests until the remaining blocks are read from the chain again.
    if (known && upTo < known.to) return
    if (known && upTo === known.to) note(compareDigests(known, digestRange(growing)))
    else if (known) {
      // The last range was compared and can grow.
      ranges.length = at
      saved = undefined
    }
    const isLast = at >= ranges.length - 1
    if (growing.rows < limit && isLast) return
    ranges[at++] = digestRange(growing)
    growing = startRange(upTo + 1)
  }

  /** Adds rows. Rows of a known range are added separately, to compare them. */
  function addRows(rows: readonly EventRow[], upTo: number): void {
    let rest = rows
    for (let end = ranges[at]?.to; end !== undefined && end > growing.to && end < upTo; end = ranges[at]?.to) {
      const border = end
      add(toEventTexts(rest.filter(({ block }) => block <= border)), border)
      rest = rest.filter(({ block }) => block > border)
    }
    add(toEventTexts(rest), upTo)
  }

  /** Reads one of the known ranges again. */
  async function check(): Promise<void> {
    const complete = ranges.filter(({ to }) => to <= growing.to)
    const known = complete[nextCheck++ % Math.max(complete.length, 1)]
    if (!known) return
    const { texts } = await tables.readFinal({
      after: { block: known.from - 1, logIndex: lastLogIndex },
      upTo: known.to,
    })
    const found = startRange(known.from)
    growRange(found, texts, known.to)
    note(compareDigests(known, digestRange(found)))
  }

  /** Saves the ranges that are new or have grown. Digests of damaged rows must not become the expected ones. */
  async function save(): Promise<void> {
    if (damages.size > 0 || growing.to < (ranges.at(-1)?.to ?? 0)) return
    const all = growing.to < growing.from ? ranges : [...ranges.slice(0, at), digestRange(growing)]
    const unsaved = saved ? all.filter(({ to }) => to > (saved?.to ?? 0)) : all
    if (unsaved.length > 0) await store.save(unsaved)
    saved = all.at(-1)
  }

  return {
    add,
    check,
    save,
    /** Starts again with the first range, after the forests were emptied. */
    async restart(): Promise<void> {
      ranges = takeContiguous(await store.load(), startBlock)
      saved = ranges.at(-1)
      growing = startRange(startBlock)
      at = 0
    },
    /** Returns the last block of the known range that contains the block after `block`. */
    borderAfter: (block: number): number | undefined => ranges.find(({ to }) => to > block)?.to,
    addRows,
    /** Checks a part of the tables and saves new ranges. Resolves to the milliseconds until the next run. */
    async run(): Promise<number> {
      await save()
      if (performance.now() - checkedAt < checkInterval) return saveInterval
      checkedAt = performance.now()
      await check()
      return saveInterval
    },
    /** Returns the warnings of the audit. @param fault Reason why the tables cannot be read. */
    warnings(fault?: DatabaseFault): Warning[] {
      const base = { kind: 'tables_damaged', node: null } as const
      const found = [...damages.values()].map((difference) => {
        return { ...base, community: difference.community, message: toMessage(difference) }
      })
      return fault === 'damaged' ? [...found, { ...base, community: null, message: unreadable }] : found
    },
  }
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
