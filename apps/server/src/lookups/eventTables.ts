import {
  type DatabaseFault,
  databaseFaults,
  eventKinds,
  findDatabaseFault,
  type Grade,
  grades,
  indexSchema,
} from '@lineage/database'
import { InvalidCursorError } from '@lineage/forest'
import type { AmountKind } from '@lineage/referral-api/amounts'
import { memberEventKind } from '@lineage/referral-api/schemas'
import type pg from 'pg'
import type { Address, Hash, Hex } from 'viem'
import type { View } from '../follow/createFollower.ts'
import { type EventRow, kindOf, type Position } from '../follow/events.ts'
import { ProblemError } from '../lib/problem.ts'

/** A bind with its transaction. */
export type BindRow = Position & Origin & { timestamp: number; member: Address; referrer: Address | null }

/** The transaction of a bind, its grade, and the blocks it may be of if that is not exact. */
type Origin = { tx: Hash | null; grade: Grade; between: { from: number; to: number } | null }

export const memberEventKinds = memberEventKind.options
type MemberEventKind = (typeof memberEventKinds)[number]

/** Position of an event in a list: one log may be a bind and several amounts. `rank` is its kind in the tables. */
export type MemberEventPosition = Position & { rank: number }

/** An event of a member, or one that names it as a referrer. */
export type MemberEventRow = MemberEventPosition & { blockHash: Hash; timestamp: number; member: Address } & Origin &
  (
    | { kind: 'bind' | 'referral'; referrer: Address | null; amount: null; from: null }
    /** `from`: the address that the amount came from, if the event names it. */
    | { kind: AmountKind; referrer: null; amount: string; from: Address | null }
  )

export type MemberEventsRange = {
  kinds: readonly MemberEventKind[]
  before: MemberEventPosition | undefined
}

/** Blocks from which to read binds, and the position beyond which they are missing. */
type BindsRange = { from: number; to: number; at: Position | undefined; order: 'asc' | 'desc' }

const inOrder =
  (order: BindsRange['order']) =>
  (left: Position, right: Position): number =>
    (left.block - right.block || left.logIndex - right.logIndex) * (order === 'asc' ? 1 : -1)

export type EventTables = ReturnType<typeof createEventTables>

/** Thrown if stored events were replaced after the state of a lookup: its forest would not match the rows. */
export class EventsReplacedError extends ProblemError {
  constructor() {
    super('unavailable', 'A reorganisation of the chain is being followed. Try again.', { retryAfter: 1 })
  }
}

/** A final block whose events were replaced when `rebuilds` became `number`. */
export type HealedBlock = { number: number; block: number; added: number[] }
/** Number of replaced blocks that are read at once; more if they were replaced together. */
const healedAtOnce = 50
/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const undefinedTable = '42P01'

/** Largest number of waiting statements: more than the lookups that run at once, and few of those that may wait. */
const statementLimit = 32

/** A state of a source; without `replaced`, the rows may be of a later one. */
type Of = Pick<View, 'source'> & { asOf: Pick<View['asOf'], 'block'>; replaced?: string }

/**
 * Creates the readers of stored events. While the database is slow, statements beyond a limit are refused at once, and all but one
 * while it is known to be silent: pages do not wait for it, and lookups that do leave places to those that are answered from memory.
 *
 * @param findFault Returns the known fault of the database.
 */
export function createEventTables(
  pool: Pick<pg.Pool, 'query'>,
  findFault: () => DatabaseFault | undefined = () => undefined,
) {
  let waiting = 0
  /** Runs a statement. @throws {ProblemError} if too many wait */
  async function run<row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<row[]> {
    if (waiting > 0 && findFault() === 'unreachable') throw notListed('unreachable')
    if (waiting >= statementLimit)
      throw new ProblemError('unavailable', 'Too many statements wait for the database. Try again in 1 s.', {
        retryAfter: 1,
      })
    waiting++
    try {
      return (await pool.query<row>(text, values)).rows
    } finally {
      waiting--
    }
  }

  /** Runs a query of the source `$1`, and returns its state with each row, or alone. */
  async function query(source: number, text: string, values: readonly unknown[]) {
    const rows = await run<StoredRow & SourceState>(
      `select ${selectReplaced} as replaced, source.rebuilds, source.block as reached, event.* from ${indexSchema}.source
      left join lateral (${text}) event on true where source.id = $1`,
      [source, ...values],
    )
    return { state: rows[0], rows: rows.filter((row) => row.kind !== null) }
  }

  /** Runs a query of the source `$1` and checks that the state is still the one of the lookup. */
  async function read({ source, asOf, replaced }: Of, text: string, values: readonly unknown[]): Promise<StoredRow[]> {
    const { state, rows } = await query(source, text, values)
    if (replaced !== undefined) requireReplaced(state, replaced, asOf.block)
    return rows
  }

  return {
    /**
     * Finds the transactions of binds, in the order of `positions`; `null` for a bind that no log names.
     *
     * @throws {EventsReplacedError} if they may be of another fork than the state
     */
    async findTxs(
      { source, replaced }: Pick<View, 'source' | 'replaced'>,
      positions: readonly Position[],
    ): Promise<(Hash | null)[]> {
      // One text: the driver takes longer for five hundred rows than the database.
      const rows = await run<{ replaced: string | null; reached: number; txs: string | null }>(
        `select ${selectReplaced} as replaced, (select block from ${indexSchema}.source where id = $1) as reached, string_agg(coalesce('0x' || encode(bind.tx, 'hex'), ''), ',' order by asked.number) as txs
        from unnest($2::int8[], $3::int[]) with ordinality asked (at, log, number)
        left join lateral (${selectBindAt}) bind on true`,
        [source, positions.map(({ block }) => block), positions.map(({ logIndex }) => logIndex)],
      )
      requireReplaced(rows[0], replaced, Math.max(...positions.map(({ block }) => block)))
      return (rows[0]?.txs ?? '').split(',').map((tx) => (tx === '' ? null : (tx as Hash)))
    },
    /** Reads the newest binds up to the block of a state and before a position, with any status. */
    async readBinds(of: Of, before: Position | undefined, limit: number): Promise<BindRow[]> {
      const rows = await read(
        of,
        `select ${columns} from ${indexSchema}.event where source = $1 and kind = 0 and block <= $2
          ${before ? 'and block <= $4 and (block, log_index) < ($4, $5)' : ''}
        order by block desc, log_index desc limit $3`,
        [of.asOf.block, limit, ...(before ? [before.block, before.logIndex] : [])],
      )
      return rows.map(toBindRow)
    },
    /** Reads binds in a range of blocks and beyond a position, in an order, with any status. */
    async readBindsIn(of: Of, { from, to, at, order }: BindsRange, limit: number): Promise<BindRow[]> {
      const isBeyond = at ? `and (block, log_index) ${order === 'asc' ? '>' : '<'} ($5, $6)` : ''
      // PostgreSQL searches for one end only, and would read all binds between that of the range and the position.
      const first = at && order === 'asc' ? Math.max(from, at.block) : from
      const last = at && order === 'desc' ? Math.min(to, at.block) : to
      const rows = await read(
        of,
        `select ${columns} from ${indexSchema}.event
          where source = $1 and kind = 0 and block >= $2 and block <= $3 ${isBeyond}
        order by block ${order}, log_index ${order} limit $4`,
        [first, last, limit, ...(at ? [at.block, at.logIndex] : [])],
      )
      return rows.map(toBindRow).sort(inOrder(order))
    },
    /** Finds a block before which all binds are of before a time, and after which none is. */
    async findBlock({ source, asOf }: Of, time: number): Promise<number> {
      // Halves the blocks in the database, because each step on its own would wait for it.
      const rows = await run<{ low: string }>(
        `with recursive search (low, high) as (
          select 0::int8, $2::int8
          union all
          select case when next.time < $3 then next.block + 1 else low end, case when next.time < $3 then high else middle end
          from search cross join lateral (select (low + high) / 2) half (middle)
          left join lateral (
            select block, time from ${indexSchema}.event
            where source = $1 and kind = 0 and block >= middle order by block, log_index limit 1) next on true
          where low < high)
        select low from search where low >= high limit 1`,
        [source, asOf.block + 1, time],
      )
      return Number(rows[0]?.low)
    },
    /** Reads the binds at some positions, the newest first. */
    async readBindsAt(of: Of, positions: readonly Position[]): Promise<BindRow[]> {
      const rows = await read(
        of,
        `select bind.* from unnest($2::int8[], $3::int[]) asked (at, log) cross join lateral (${selectBindAt}) bind
        order by block desc, log_index desc`,
        [positions.map(({ block }) => block), positions.map(({ logIndex }) => logIndex)],
      )
      return rows.map(toBindRow)
    },
    /** Reads the binds of each bind's member before it, the newest first, up to `limit` of each. */
    async readBindsBefore(of: Of, binds: readonly BindRow[], limit: number): Promise<BindRow[][]> {
      const rows = await read(
        of,
        `select found.* from unnest($2::int8[], $3::int[], $4::bytea[]) with ordinality asked (at, log, who, place)
        cross join lateral (
          select asked.place, ${columns} from ${indexSchema}.event
          where source = $1 and kind = 0 and member = asked.who and block <= asked.at and (block, log_index) < (asked.at, asked.log)
          order by block desc, log_index desc limit $5) found
        order by block desc, log_index desc`,
        [
          binds.map(({ block }) => block),
          binds.map(({ logIndex }) => logIndex),
          binds.map(({ member }) => toBytes(member)),
          limit,
        ],
      )
      const found = binds.map((): BindRow[] => [])
      for (const row of rows as (StoredRow & { place: string })[]) found[Number(row.place) - 1]?.push(toBindRow(row))
      return found
    },
    /** Reads the newest events of a member up to the block of a state and before a position, with any status. */
    async readMemberEvents(
      of: Of & { member: Address },
      { kinds, before }: MemberEventsRange,
      limit: number,
    ): Promise<MemberEventRow[]> {
      const parts = kinds.map((kind) => `(${selectOfMember(kind, before)})`)
      const rows = await read(
        of,
        `select * from (${parts.join(' union all ')}) event
        order by event.block desc, event.log_index desc, event.kind desc limit $4`,
        [of.asOf.block, toBytes(of.member), limit, ...(before ? [before.block, before.logIndex] : [])],
      )
      return rows.map((row) => toMemberEvent(row, of.member))
    },
    /**
     * Reads the oldest events up to the block of a state, of all members; from a row on, together with it.
     *
     * @throws {EventsReplacedError} if final events have been replaced since, or that block is not there any more
     */
    async readAll(
      { source, asOf, rebuilds }: Pick<View, 'source' | 'asOf' | 'rebuilds'>,
      from: MemberEventPosition | undefined,
      limit: number,
    ): Promise<MemberEventRow[]> {
      const { state, rows } = await query(
        source,
        `select ${columns} from ${indexSchema}.event where source = $1 and block <= $2
          ${from ? 'and (block, log_index, kind) >= ($4, $5, $6)' : ''}
        order by block, log_index, kind limit $3`,
        [asOf.block, limit, ...(from ? [from.block, from.logIndex, from.rank] : [])],
      )
      if (state?.rebuilds !== rebuilds || state.reached < asOf.block) throw new EventsReplacedError()
      return rows.map((row) => toMemberEvent(row, toHex(row.member)))
    },
    /** Reads the oldest binds and volumes in a range of blocks, oldest first. */
    async readEvents(of: Of, { after, upTo }: { after: number; upTo: number }, limit: number): Promise<EventRow[]> {
      const rows = await read(
        of,
        `select ${columns} from ${indexSchema}.event where source = $1 and block > $2 and block <= $3
          and kind in (${eventKinds.indexOf('bind')}, ${eventKinds.indexOf('volume')})
        order by block, log_index, kind limit $4`,
        [after, upTo, limit],
      )
      return rows.map(toEventRow)
    },
    /** Reads which final blocks were replaced up to a state, the earliest first, with the log indexes that were missing. */
    async readHealed({ source, rebuilds }: Pick<View, 'source' | 'rebuilds'>, after: number): Promise<HealedBlock[]> {
      return run<HealedBlock>(
        `select number, block, added from ${indexSchema}.healed where source = $1 and number > $2 and number <= (
            select max(number) from (
              select number from ${indexSchema}.healed where source = $1 and number > $2 and number <= $3
              order by number limit ${healedAtOnce}) first)
          order by number`,
        [source, after, rebuilds],
      ).catch((error: { code?: string }) => {
        // The reader is of an earlier version.
        if (error.code === undefinedTable) return []
        throw error
      })
    },
  }
}

/** Returns the page of rows of which one more was read: it shows whether there is a next page. */
export function cutPage<row>(rows: readonly row[], limit: number, toCursor: (last: row) => string) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, last, nextCursor: last && rows.length > limit ? toCursor(last) : null }
}

/** Throws an error of the database as the problem `unavailable`, with its fault, and any other error as it is. */
export function refuseWithoutDatabase(error: unknown): never {
  const fault = findDatabaseFault(error)
  if (fault === undefined) throw error
  throw Object.assign(notListed(fault), { cause: error })
}

const notListed = (fault: DatabaseFault) =>
  new ProblemError(
    'unavailable',
    `Events cannot be listed, because ${databaseFaults[fault].text.replace(/:.*/, '')}. Try again later.`,
  )

/** State of a source while rows were read: see `SourceRow`. */
type SourceState = { replaced: string; rebuilds: number; reached: number }

/** Selects `View.replaced` of a source, once for all rows. Tables of an earlier reader have no timelines. */
const selectReplaced = `(select concat_ws('.', coalesce(to_jsonb(known) -> 'timelines' ->> -1, ''), reorgs, rebuilds)
  from ${indexSchema}.source known where id = $1)`

/**
 * Checks that rows were read from the state that a lookup has.
 *
 * @throws {EventsReplacedError} if the tables are of another state, or were restored to one before the block
 */
function requireReplaced(
  state: { replaced: string | null; reached: number } | undefined,
  replaced: string,
  block: number,
): void {
  if (state?.replaced !== replaced || state.reached < block) throw new EventsReplacedError()
}

/** A row of `event`; all `null` if a query found none. */
type StoredRow = {
  kind: number
  block: number
  log_index: number
  time: number
  block_hash: Buffer
  tx: Buffer | null
  grade: number | null
  first_block: number | null
  member: Buffer
  other: Buffer | null
  amount: string | null
}

const columns = 'kind, block, log_index, time, block_hash, tx, member, other, amount, grade, first_block'
/**
 * The query of the bind at the position `asked`. With its limit it is a search in the index for each position: PostgreSQL
 * joins a table that it has not analyzed yet by comparing all its rows with all positions.
 */
const selectBindAt = `select ${columns} from ${indexSchema}.event
  where source = $1 and block = asked.at and log_index = asked.log and kind = 0 limit 1`
/** Returns the query of a member's events of one kind. A bind to itself counts as its own. */
function selectOfMember(kind: MemberEventKind, before: MemberEventPosition | undefined): string {
  const rank = eventKinds.indexOf(kind === 'referral' ? 'bind' : kind)
  const names = kind === 'referral' ? 'other = $3 and member <> $3' : 'member = $3'
  // The list is newest first: several events of one log stand in falling rank.
  const isBefore = before ? `and block <= $5 and (block, log_index) ${rank < before.rank ? '<=' : '<'} ($5, $6)` : ''
  return `select ${columns} from ${indexSchema}.event
    where source = $1 and kind = ${rank} and ${names} and block <= $2 ${isBefore}
    order by block desc, log_index desc limit $4`
}

const toHex = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`
const toAddress = (bytes: Buffer | null): Address | null => bytes && toHex(bytes)
const toBytes = (address: Address): Buffer => Buffer.from(address.slice(2), 'hex')

function toOrigin({ tx, grade, block, first_block: from }: StoredRow): Origin {
  const own = grades[grade ?? 0] ?? 'observed'
  return { tx: tx && toHex(tx), grade: own, between: own === 'exact' ? null : { from: from ?? 0, to: block } }
}

const toBase = ({ block, log_index: logIndex, time: timestamp, member }: StoredRow) => ({
  block,
  logIndex,
  timestamp,
  member: toHex(member),
})

const toBindRow = (row: StoredRow): BindRow => ({ ...toBase(row), ...toOrigin(row), referrer: toAddress(row.other) })

function toEventRow(row: StoredRow): EventRow {
  const base = { ...toBase(row), blockHash: toHex(row.block_hash) }
  const kind = kindOf(row.kind)
  if (kind === 'bind') {
    const { grade, between } = toOrigin(row)
    return { kind, ...base, referrer: toAddress(row.other), grade, firstBlock: between?.from ?? row.block }
  }
  return { kind, ...base, amount: BigInt(row.amount ?? 0) }
}

function toMemberEvent(row: StoredRow, member: Address): MemberEventRow {
  const base = { ...toBase(row), blockHash: toHex(row.block_hash), ...toOrigin(row), rank: row.kind }
  const kind = kindOf(row.kind)
  if (kind === 'bind') {
    const own = base.member === member ? kind : 'referral'
    return { ...base, kind: own, referrer: toAddress(row.other), amount: null, from: null }
  }
  return { ...base, kind, referrer: null, amount: row.amount ?? '0', from: toAddress(row.other) }
}

const cursorPattern = new RegExp(`^(0|[1-9]\\d{0,11})-(0|[1-9]\\d{0,9})(?:-([0-${eventKinds.length - 1}]))?$`)

/** Encodes the position of the last event on a page. The cursor stays valid, because newer events come before it. */
export const toEventsCursor = ({ block, logIndex }: Position): string => `${block}-${logIndex}`

export const toMemberEventsCursor = ({ rank, ...position }: MemberEventPosition): string =>
  `${toEventsCursor(position)}-${rank}`

/** Decodes a cursor. @throws {InvalidCursorError} */
export function readEventsCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [, block, logIndex, rank] = cursorPattern.exec(cursor) ?? []
  if (block === undefined || logIndex === undefined || rank !== undefined) throw new InvalidCursorError(cursor)
  return { block: Number(block), logIndex: Number(logIndex) }
}

/** Decodes a cursor of a member's events. @throws {InvalidCursorError} */
export function readMemberEventsCursor(cursor: string | undefined): MemberEventPosition | undefined {
  if (cursor === undefined) return undefined
  const [, block, logIndex, rank] = cursorPattern.exec(cursor) ?? []
  if (block === undefined || logIndex === undefined || rank === undefined) throw new InvalidCursorError(cursor)
  return { block: Number(block), logIndex: Number(logIndex), rank: Number(rank) }
}
