import { InvalidCursorError } from '@lineage/forest'
import { readTime } from '@lineage/referral-api/days'
import type { View } from '../follow/createFollower.ts'
import type { Position } from '../follow/events.ts'
import { ProblemError } from '../lib/problem.ts'
import type { WorkMeter } from './createSlicer.ts'
import {
  type BindRow,
  cutPage,
  type EventTables,
  readEventsCursor,
  refuseWithoutDatabase,
  toEventsCursor,
} from './eventTables.ts'
import type { LookupOf, Result } from './lookup.ts'
import { toEvent } from './serialize.ts'

/** Larger than any log index. */
const afterAll = 2 ** 31 - 1

/**
 * Lists the binds of a range of time: the newest first, or from the oldest on, for programs that keep a copy. The latter has
 * final blocks only, which no reorganisation replaces, and goes on with `resume` when there are more.
 */
export async function listRange({ forest, view, query, sources }: LookupOf<'events'>): Promise<Result<'events'>> {
  const { from, to, tz, order, limit, cursor } = query
  const { tables } = sources
  const isAscending = order === 'asc'
  const at = isAscending ? await readSyncCursor(cursor, view, tables) : readEventsCursor(cursor)
  const newest = isAscending ? view.asOf.finalizedBlock : view.asOf.block
  const range = await findRange({ from, to, tz }, newest, { view, tables })
  const rows = await tables.readBindsIn(view, { ...range, at, order }, limit + 1).catch(refuseWithoutDatabase)
  const toCursor = isAscending ? (position: Position) => toSyncCursor(view, position) : toEventsCursor
  const { page, last, nextCursor } = cutPage(rows, limit, toCursor)
  return {
    body: {
      items: page.map((row) => toEvent(row, forest.statusAt(row))),
      nextCursor,
      ...(isAscending && { resume: toSyncCursor(view, last ?? at ?? { block: 0, logIndex: 0 }) }),
    },
  }
}

type TimeRange = { from?: string | number | undefined; to?: string | number | undefined; tz: string }
type Stored = { view: View; tables: EventTables }

/** Finds the first and last block of a range of time, up to `newest`. */
export async function findRange({ from, to, tz }: TimeRange, newest: number, { view, tables }: Stored) {
  const findBlock = (time: number) => tables.findBlock(view, time).catch(refuseWithoutDatabase)
  return {
    from: from === undefined ? 0 : await findBlock(readTime(from, 'first', tz)),
    to: to === undefined ? newest : Math.min(newest, (await findBlock(readTime(to, 'last', tz) + 1)) - 1),
  }
}

type CollectParameters = {
  at: Position | undefined
  limit: number
  atOnce: number
  most: number
  meter: WorkMeter
}
type Collected<item> = { items: item[]; last: Position | null }

/**
 * Collects a page of the binds that pass, until `most` are read; `pass` returns the item of a bind, or `undefined`. `last`: the
 * position where a next page goes on. `meter` counts the work of `pass`.
 */
export async function collectBinds<item>(
  read: (at: Position | undefined, limit: number) => Promise<BindRow[]>,
  pass: (row: BindRow) => item | undefined,
  { at, limit, atOnce, most, meter }: CollectParameters,
): Promise<Collected<item>> {
  const items: item[] = []
  let last = at
  for (let left = most; left > 0; left -= atOnce) {
    const rows = await read(last, atOnce).catch(refuseWithoutDatabase)
    const end = meter.measure(() =>
      rows.find((row) => {
        if (items.length === limit) return true
        const item = pass(row)
        if (item !== undefined) items.push(item)
        last = row
        return false
      }),
    )
    if (end) return { items, last: last ?? null }
    if (rows.length < atOnce) return { items, last: null }
  }
  return { items, last: last ?? null }
}

/** Encodes a position in the events of an index, with the number of times that its final events were replaced. */
const toSyncCursor = ({ index, rebuilds }: Pick<View, 'index' | 'rebuilds'>, { block, logIndex }: Position): string =>
  `${index}-${rebuilds}-${block}-${logIndex}`

/**
 * Decodes a cursor, after which events are missing.
 *
 * @throws {ProblemError} `events_replaced` if events before it have changed since: final blocks in which logs were missing, or
 * tables that were made again
 */
async function readSyncCursor(
  cursor: string | undefined,
  view: View,
  tables: Pick<EventTables, 'readHealed'>,
): Promise<Position | undefined> {
  if (cursor === undefined) return undefined
  const [, index, rebuilds, block, logIndex] = /^(\w{1,64})-(\d{1,12})-(\d{1,12})-(\d{1,10})$/.exec(cursor) ?? []
  if (index === undefined) throw new InvalidCursorError(cursor)
  if (index !== view.index) throw replaced(0, null)
  const changed: number[] = []
  let known = Number(rebuilds)
  while (known < view.rebuilds) {
    const healed = await tables.readHealed(view, known).catch(refuseWithoutDatabase)
    if (healed.length === 0) break
    changed.push(...healed.map((one) => one.block))
    known = Math.max(...healed.map(({ number }) => number))
  }
  const first = Math.min(...changed)
  if (first > Number(block)) return { block: Number(block), logIndex: Number(logIndex) }
  throw replaced(first, toSyncCursor(view, { block: first - 1, logIndex: afterAll }))
}

function replaced(block: number, cursor: string | null): ProblemError {
  const advice = cursor === null ? 'start without a cursor' : `go on with the cursor "${cursor}"`
  const detail = `Events from block ${block} on have changed since: delete yours from there on, and ${advice}.`
  return new ProblemError('events_replaced', detail, { block, cursor })
}
