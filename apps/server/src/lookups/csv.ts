import { setImmediate } from 'node:timers/promises'
import { type Community, checksumAddress } from '@lineage/communities'
import type { Forest, MemberId, Referral, ReferralsFilter, TeamAmounts } from '@lineage/forest'
import { toCsv } from '@lineage/referral-api/csv'
import { createCalendar } from '@lineage/referral-api/days'
import type { Address, Hash } from 'viem'
import { formatUnits } from 'viem/utils'
import { isSamePosition, type Position } from '../follow/events.ts'
import type { MemberEventPosition, MemberEventRow } from './eventTables.ts'
import { measureWork } from './measureWork.ts'
import { toMemberEvent } from './serialize.ts'

/** A part of a CSV, and the milliseconds of the processor that it took. */
export type CsvPart = { bytes: Uint8Array<ArrayBuffer>; work: number }

/** Reads the text of an answer to its end. */
export async function readText(body: Uint8Array | ReadableStream<CsvPart>): Promise<string> {
  const parts: Uint8Array[] = body instanceof Uint8Array ? [body] : []
  if (!(body instanceof Uint8Array)) for await (const { bytes } of body) parts.push(bytes)
  return new TextDecoder().decode(Buffer.concat(parts))
}

type CsvPage<cursor> = { lines: readonly string[]; next: cursor | undefined }

/**
 * Streams CSV as fast as it is read: a header line, then pages. An error aborts the stream, so that an incomplete
 * file does not look complete. Cells must be numbers, addresses, dates or fixed words, so that spreadsheets do not
 * read them as formulas.
 *
 * @param readPage Returns the page after a cursor, the first page without one.
 * @param prepare Is called before each page, and returns its work in milliseconds.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
function createCsvStream<cursor>(
  columns: readonly string[],
  readPage: (after: cursor | undefined) => CsvPage<cursor> | Promise<CsvPage<cursor>>,
  prepare?: () => Promise<number>,
): ReadableStream<CsvPart> {
  const encoder = new TextEncoder()
  let after: cursor | undefined
  let state: 'new' | 'open' | 'cancelled' = 'new'
  return new ReadableStream<CsvPart>(
    {
      async pull(controller) {
        // Excel needs the byte order mark to read UTF-8.
        if (state === 'new') controller.enqueue({ bytes: encoder.encode(`\uFEFF${toLine(columns)}`), work: 0 })
        if (state === 'new') state = 'open'
        let lines: readonly string[]
        let work = 0
        // A page may be empty, and a stream does not call again if a call adds nothing.
        do {
          // Let other requests run in between.
          await setImmediate()
          if (isCancelled()) return
          if (prepare) work += await prepare()
          if (isCancelled()) return
          const reading = measureWork(() => readPage(after))
          const page = await reading.output
          if (isCancelled()) return
          work += reading.work
          lines = page.lines
          after = page.next
        } while (lines.length === 0 && after !== undefined)
        controller.enqueue({ bytes: encoder.encode(lines.join('')), work })
        if (after === undefined) controller.close()
      },
      cancel() {
        state = 'cancelled'
      },
    },
    // Compute nothing before it is read.
    { highWaterMark: 0 },
  )

  function isCancelled(): boolean {
    return state === 'cancelled'
  }
}

type Cell = string | number | bigint | null

const toLine = (cells: readonly Cell[]): string => `${cells.map((cell) => cell ?? '').join()}\r\n`

/** The time zone and the tokens that cells are formatted with. */
export type CsvFormat = { timeZone: string; tokens: Community['tokens'] }

/** Reads the transactions of binds, in order; `null` for a bind that no log names. */
export type ReadTxs = (positions: readonly Position[]) => Promise<readonly (Hash | null)[]>

/** A time as ISO 8601, and as spreadsheets read it in a time zone. */
function createTimeCells(timeZone: string): (seconds: number | null) => [Cell, Cell] {
  const { clockText } = createCalendar(timeZone)
  return (seconds) =>
    seconds === null ? [null, null] : [`${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`, clockText(seconds)]
}

/** Formats an amount in whole tokens, because spreadsheets keep 15 digits only. */
const toDecimalCell = (amount: bigint | string | null, token: { decimals: number } | undefined): Cell =>
  amount === null || !token ? null : formatUnits(BigInt(amount), token.decimals)

/** Returns a text from outside as a cell. */
const toTextCell = (text: string): string => toCsv([[text]]).slice(1, -2)

type MemberRow = Referral & { tx: Hash | null }

/** Returns the columns of members: their names, and the cells of a row. */
function memberTable({ timeZone, tokens: { volume } }: CsvFormat) {
  const timesOf = createTimeCells(timeZone)
  const nameOf = (amount: string) => toTextCell(`${amount} ${volume?.symbol ?? ''}`.trim())
  const columns = [
    'level',
    'address',
    'status',
    'referrer',
    'depth',
    'joinedAt',
    `joinedAt ${timeZone}`,
    'directs',
    'team',
  ]
  const amounts = [
    'ownVolume',
    ...(volume ? [nameOf('ownVolume')] : []),
    'teamVolume',
    ...(volume ? [nameOf('teamVolume')] : []),
  ]
  const toCells = ({ between, ...row }: MemberRow): Cell[] => [
    row.level,
    checksumAddress(row.address),
    row.status,
    row.referrer && checksumAddress(row.referrer),
    row.depth,
    ...timesOf(row.joinedAt),
    row.directs,
    row.team,
    ...[row.ownVolume, row.teamVolume].flatMap((amount) => [
      amount,
      ...(volume ? [toDecimalCell(amount, volume)] : []),
    ]),
    row.grade,
    ...(between ? [null, null] : [row.block, row.logIndex]),
    row.tx,
    between?.from ?? null,
    between?.to ?? null,
  ]
  return { columns: [...columns, ...amounts, 'grade', 'block', 'logIndex', 'tx', 'firstBlock', 'lastBlock'], toCells }
}

/** Rows per page: few enough not to delay other requests, and enough to keep the cost of finding the next page low. */
export const rowsPerPage = 250

const amountColumns = ['periodOwnVolume', 'periodTeamVolume', 'periodOwnRewards', 'periodTeamRewards'] as const

type MembersRequest = {
  address: Address
  order: 'asc' | 'desc'
  filter: ReferralsFilter | undefined
  /** Reads the amounts of a period by the id of a member, for more columns. */
  readAmounts?: ((forest: Forest) => Promise<{ answer: (id: MemberId) => TeamAmounts; work: number }>) | undefined
}

/**
 * Streams the downline of a member, or the members that match a filter, in join order.
 *
 * @param forest Called for each page, because a reorganisation may replace the forest.
 */
export function streamMembers(
  forest: () => Forest | undefined,
  request: MembersRequest,
  { readTxs, ...format }: CsvFormat & { readTxs: ReadTxs },
): ReadableStream<CsvPart> {
  const { readAmounts } = request
  const { columns, toCells } = memberTable(format)
  let amountsOf: ((id: MemberId) => TeamAmounts) | undefined
  const toAmounts = (row: Referral): readonly Cell[] => {
    const id = amountsOf && forest()?.find(row.address)
    return amountsOf && id !== undefined ? toAmountCells(amountsOf(id)) : []
  }
  return createCsvStream<string>(
    readAmounts ? [...columns, ...amountColumns] : columns,
    async (cursor) => {
      const { items, nextCursor } = readRows(forest(), request, cursor ?? null)
      const txs = await readTxs(items.map(({ block, logIndex }) => ({ block: block ?? 0, logIndex: logIndex ?? 0 })))
      const lines = items.map((row, at) => toLine([...toCells({ ...row, tx: txs[at] ?? null }), ...toAmounts(row)]))
      return { lines, next: nextCursor ?? undefined }
    },
    readAmounts &&
      (async () => {
        const held = forest()
        if (!held) return 0
        // Kept by the forest for all pages, unless a reorganisation may have changed it.
        const { answer, work } = await readAmounts(held)
        amountsOf = answer
        return work
      }),
  )
}

/** Returns the cells of `amountColumns`. */
const toAmountCells = ({ own, team }: TeamAmounts) => [own.volume, team.volume, own.rewards, team.rewards]

function readRows(forest: Forest | undefined, { address, order, filter }: MembersRequest, cursor: string | null) {
  const id = forest?.find(address)
  if (!forest || id === undefined) throw new Error('The member is gone after a reorganisation of the chain.')
  const page = { sort: 'joined', order, limit: rowsPerPage, cursor } as const
  if (filter) return forest.filteredReferrals(id, { ...filter, ...page, total: 'skip' })
  return forest.referrals(id, { level: 'all', ...page })
}

const eventColumns = ({ timeZone }: CsvFormat) => [
  'time',
  `time ${timeZone}`,
  'kind',
  'address',
  'referrer',
  'status',
  'amount',
  'decimal',
  'token',
  'from',
  'block',
  'logIndex',
  'tx',
  'grade',
  'firstBlock',
  'lastBlock',
]

type Page = readonly MemberEventRow[]

/**
 * Streams all events of a member, newest first. Each page except the first is read together with the last row before
 * it: while that row belongs to the same block, all older rows belong to the same branch of the chain.
 *
 * @param first The first page, of at most `rowsPerPage` rows.
 * @param readPage Reads at most `limit` rows before a position.
 * @param forest Called for each page, because a reorganisation may replace the forest.
 */
export function streamEvents(
  first: Page,
  readPage: (before: MemberEventPosition, limit: number) => Promise<Page>,
  forest: () => Forest,
  format: CsvFormat,
): ReadableStream<CsvPart> {
  const timesOf = createTimeCells(format.timeZone)
  const readAfter = async (last: MemberEventRow): Promise<Page> => {
    const [again, ...rows] = await readPage({ ...last, rank: last.rank + 1 }, rowsPerPage + 1)
    if (again && isSameEvent(again, last)) return rows
    throw new Error('Events were replaced in a reorganisation of the chain.')
  }
  return createCsvStream<MemberEventRow>(eventColumns(format), async (last) => {
    const rows = last ? await readAfter(last) : first
    const { statusAt } = forest()
    return {
      lines: rows.map((row) => {
        const event = toMemberEvent(row, row.amount === null ? statusAt(row) : null)
        return toLine([...timesOf(event.timestamp), ...toEventCells(event, format)])
      }),
      next: rows.length < rowsPerPage ? undefined : rows.at(-1),
    }
  })
}

const isSameEvent = (left: MemberEventRow, right: MemberEventRow): boolean =>
  isSamePosition(left, right) && left.rank === right.rank && left.blockHash === right.blockHash

function toEventCells(event: ReturnType<typeof toMemberEvent>, { tokens }: CsvFormat): Cell[] {
  const { kind, address, referrer, status, amount, from, block, logIndex, tx, grade, between } = event
  const token = kind === 'reward' || kind === 'volume' ? tokens[kind] : undefined
  return [
    kind,
    address,
    referrer,
    status,
    amount,
    toDecimalCell(amount, token),
    token ? toTextCell(token.symbol) : null,
    from,
    between ? null : block,
    tx === null ? null : logIndex,
    tx,
    grade,
    between?.from ?? null,
    between?.to ?? null,
  ]
}
