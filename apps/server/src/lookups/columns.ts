import { type Community, checksumAddress } from '@lineage/communities'
import { withoutLog } from '@lineage/database'
import type { HeldMember, PastReferral, PastSummary, Referral, TeamAmounts } from '@lineage/forest'
import { type Metrics, toDecimal } from '@lineage/referral-api'
import { toCsv } from '@lineage/referral-api/csv'
import { createCalendar } from '@lineage/referral-api/days'
import type { Hash } from 'viem'
import type { Bytes, FileFormat } from './fileStream.ts'
import type { toMemberEvent } from './serialize.ts'

/**
 * A column of a file. Each format writes a kind in its own way: a time of a CSV is a text in UTC and one in the time zone of the
 * visitor, one of Parquet is a timestamp.
 */
export type Column<row> = { name: string } & (
  | { kind: 'text'; read: (row: row) => string | null }
  /** A text from outside, which a spreadsheet might read as a formula. */
  | { kind: 'label'; read: (row: row) => string | null }
  | { kind: 'number'; read: (row: row) => number | null }
  /** An exact amount in whole tokens. */
  | { kind: 'decimal'; read: (row: row) => string | null }
  /** Unix seconds. */
  | { kind: 'time'; read: (row: row) => number | null }
  /** A day as 2026-12-01. */
  | { kind: 'day'; read: (row: row) => string }
)

type Tokens = Community['tokens']
type Token = Tokens['volume']

/** Returns the columns of an amount: in the smallest unit, and in whole tokens, because spreadsheets keep 15 digits only. */
function amountColumns<row>(name: string, token: Token, read: (row: row) => bigint | string | null): Column<row>[] {
  const exact: Column<row> = { name, kind: 'text', read: (row) => read(row)?.toString() ?? null }
  if (!token) return [exact]
  const decimal = (row: row) => toWhole(read(row)?.toString(), token)
  return [exact, { name: `${name} ${token.symbol}`.trim(), kind: 'decimal', read: decimal }]
}

const toWhole = (amount: string | null | undefined, token: Token): string | null =>
  token && amount !== null && amount !== undefined ? toDecimal(amount, token.decimals) : null

/** A member with the transaction of its bind. */
export type WithTx<member> = member & { tx: Hash | null }

/** Returns the index of a log; `null` for a bind that no log names. */
const toLogIndex = (index: number | null) => (index !== null && index < withoutLog ? index : null)

const addressColumns: Column<PastSummary>[] = [
  { name: 'address', kind: 'text', read: ({ address }) => checksumAddress(address) },
  { name: 'status', kind: 'text', read: ({ status }) => status },
  { name: 'referrer', kind: 'text', read: ({ referrer }) => referrer && checksumAddress(referrer) },
]
const figureColumns: Column<Pick<PastReferral, 'depth' | 'joinedAt' | 'directs' | 'team'>>[] = [
  { name: 'depth', kind: 'number', read: ({ depth }) => depth },
  { name: 'joinedAt', kind: 'time', read: ({ joinedAt }) => joinedAt },
  { name: 'directs', kind: 'number', read: ({ directs }) => directs },
  { name: 'team', kind: 'number', read: ({ team }) => team },
]
const logColumns: Column<WithTx<PastSummary>>[] = [
  { name: 'grade', kind: 'text', read: ({ grade }) => grade },
  { name: 'block', kind: 'number', read: ({ between, block }) => (between ? null : block) },
  { name: 'logIndex', kind: 'number', read: ({ between, logIndex }) => (between ? null : toLogIndex(logIndex)) },
  { name: 'tx', kind: 'text', read: ({ tx }) => tx },
  { name: 'firstBlock', kind: 'number', read: ({ between }) => between?.from ?? null },
  { name: 'lastBlock', kind: 'number', read: ({ between }) => between?.to ?? null },
]
type Volumes = Pick<PastReferral, 'ownVolume' | 'teamVolume'>
const volumeColumns = ({ volume }: Tokens): Column<Volumes>[] => [
  ...amountColumns<Volumes>('ownVolume', volume, ({ ownVolume }) => ownVolume ?? null),
  ...amountColumns<Volumes>('teamVolume', volume, ({ teamVolume }) => teamVolume ?? null),
]

/** A member of a downline, and its amounts in a period if these are asked for. */
export type DownlineRow = WithTx<Referral | PastReferral> & { amounts?: TeamAmounts | undefined }

/** Returns the columns of a downline: with the volumes of all time, with these and the amounts of a period, or without amounts. */
export function downlineColumns(tokens: Tokens, amounts: 'total' | 'period' | 'none'): Column<DownlineRow>[] {
  const { volume, reward } = tokens
  const periodColumns = [
    ...amountColumns<DownlineRow>('periodOwnVolume', volume, (row) => row.amounts?.own.volume ?? null),
    ...amountColumns<DownlineRow>('periodTeamVolume', volume, (row) => row.amounts?.team.volume ?? null),
    ...amountColumns<DownlineRow>('periodOwnRewards', reward, (row) => row.amounts?.own.rewards ?? null),
    ...amountColumns<DownlineRow>('periodTeamRewards', reward, (row) => row.amounts?.team.rewards ?? null),
  ]
  return [
    { name: 'level', kind: 'number', read: ({ level }) => level },
    ...addressColumns,
    ...figureColumns,
    ...(amounts === 'none' ? [] : volumeColumns(tokens)),
    ...logColumns,
    ...(amounts === 'period' ? periodColumns : []),
  ]
}

/** Returns the columns of the members or roots of a community. */
export const memberColumns = (tokens: Tokens): Column<WithTx<HeldMember>>[] => [
  ...addressColumns,
  { name: 'root', kind: 'text', read: ({ root }) => checksumAddress(root) },
  ...figureColumns,
  ...volumeColumns(tokens),
  ...amountColumns<HeldMember>('rewards', tokens.reward, ({ rewards }) => rewards),
  ...logColumns,
]

export type ListedEvent = ReturnType<typeof toMemberEvent>

export function eventColumns(tokens: Tokens): Column<ListedEvent>[] {
  const tokenOf = ({ kind }: ListedEvent) => (kind === 'bind' || kind === 'referral' ? undefined : tokens[kind])
  return [
    { name: 'time', kind: 'time', read: ({ timestamp }) => timestamp },
    { name: 'kind', kind: 'text', read: ({ kind }) => kind },
    { name: 'address', kind: 'text', read: ({ address }) => address },
    { name: 'referrer', kind: 'text', read: ({ referrer }) => referrer },
    { name: 'status', kind: 'text', read: ({ status }) => status },
    { name: 'amount', kind: 'text', read: ({ amount }) => amount },
    { name: 'decimal', kind: 'decimal', read: (event) => toWhole(event.amount, tokenOf(event)) },
    { name: 'token', kind: 'label', read: (event) => tokenOf(event)?.symbol ?? null },
    { name: 'from', kind: 'text', read: ({ from }) => from },
    { name: 'block', kind: 'number', read: ({ between, block }) => (between ? null : block) },
    { name: 'logIndex', kind: 'number', read: ({ tx, logIndex }) => (tx === null ? null : toLogIndex(logIndex)) },
    { name: 'tx', kind: 'text', read: ({ tx }) => tx },
    { name: 'grade', kind: 'text', read: ({ grade }) => grade },
    { name: 'firstBlock', kind: 'number', read: ({ between }) => between?.from ?? null },
    { name: 'lastBlock', kind: 'number', read: ({ between }) => between?.to ?? null },
  ]
}

type Day = Metrics['series'][number]

/** Returns the columns of the days of a community. */
export const seriesColumns = ({ volume, reward }: Tokens): Column<Day>[] => [
  { name: 'day', kind: 'day', read: ({ day }) => day },
  { name: 'members', kind: 'number', read: ({ members }) => members },
  { name: 'totalMembers', kind: 'number', read: ({ totalMembers }) => totalMembers },
  ...amountColumns<Day>('volume', volume, (day) => day.volume),
  ...amountColumns<Day>('rewards', reward, (day) => day.rewards),
]

/** Adds a column with the block that a file is of. */
export const atBlock = <row>(columns: readonly Column<row>[], block: number): Column<row>[] => [
  ...columns,
  { name: 'asOfBlock', kind: 'number', read: () => block },
]

type Cell = string | number | null

const toLine = (cells: readonly Cell[]): string => `${cells.map((cell) => cell ?? '').join()}\r\n`

/** Returns a text from outside as a cell. */
const toTextCell = (text: string): string => toCsv([[text]]).slice(1, -2)

/**
 * Creates the format of a CSV: a header line, then a line for each row. Cells are numbers, addresses, dates or fixed words, so
 * that spreadsheets do not read them as formulas; other texts are escaped.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function createCsvFormat<row>(columns: readonly Column<row>[], timeZone: string): FileFormat<row> {
  const encoder = new TextEncoder()
  const cells = columns.map((column) => toCells(column, timeZone))
  return {
    *begin() {
      // Excel needs the byte order mark to read UTF-8.
      yield encoder.encode(`\uFEFF${toLine(columns.flatMap((column) => toNames(column, timeZone)))}`) as Bytes
    },
    *add(rows) {
      if (rows.length === 0) return
      const lines = rows.map((row) => toLine(cells.flatMap((read) => read(row))))
      yield encoder.encode(lines.join('')) as Bytes
    },
    *end() {},
  }
}

/** Returns the names of a column: a time is there in UTC and as spreadsheets read it, in a time zone. */
function toNames<row>({ kind, name }: Column<row>, timeZone: string): string[] {
  const shown = /^[\w /+-]+$/.test(name) ? name : toTextCell(name)
  return kind === 'time' ? [shown, `${shown} ${timeZone}`] : [shown]
}

function toCells<row>(column: Column<row>, timeZone: string): (row: row) => Cell | readonly Cell[] {
  if (column.kind === 'label') {
    return (row) => {
      const text = column.read(row)
      return text === null ? null : toTextCell(text)
    }
  }
  if (column.kind !== 'time') return column.read
  const { clockText } = createCalendar(timeZone)
  return (row) => {
    const seconds = column.read(row)
    if (seconds === null) return [null, null]
    return [`${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`, clockText(seconds)]
  }
}
