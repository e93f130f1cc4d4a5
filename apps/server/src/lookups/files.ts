import type { Community } from '@lineage/communities'
import type {
  Forest,
  HeldMember,
  HeldParameters,
  MemberId,
  MemberSummary,
  PastDownline,
  Referral,
  ReferralsFilter,
  TeamAmounts,
} from '@lineage/forest'
import type { AsOf, CommunityFileId } from '@lineage/referral-api'
import type { Address, Hash } from 'viem'
import { isSamePosition, type Position } from '../follow/events.ts'
import {
  atBlock,
  type Column,
  createCsvFormat,
  type DownlineRow,
  downlineColumns,
  eventColumns,
  type ListedEvent,
  memberColumns,
  seriesColumns,
  type WithTx,
} from './columns.ts'
import { EventsReplacedError, type MemberEventRow, refuseWithoutDatabase } from './eventTables.ts'
import { createFileStream, type FileFormat, type FilePart } from './fileStream.ts'
import type { LookupOf, Lookups, Result, Sources } from './lookup.ts'
import { createParquetFormat } from './parquet.ts'
import { toMemberEvent } from './serialize.ts'

/** Rows per page: few enough not to delay other requests, and enough to keep the cost of finding the next page low. */
export const rowsPerPage = 250

export type FileType = 'csv' | 'parquet'
const contentTypes: Record<FileType, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
}

/** Returns the headers of a file. It is made while it is sent, so a part of it cannot be asked for. */
export const fileHeaders = (name: string, type: FileType) => ({
  'content-type': contentTypes[type],
  'content-disposition': `attachment; filename="${name}.${type}"`,
  'accept-ranges': 'none',
})

/** The time zone and the tokens that cells are formatted with. */
export type CsvFormat = { timeZone: string; tokens: Community['tokens'] }

/** Reads the transactions of binds, in order; `null` for a bind that no log names. */
export type ReadTxs = (positions: readonly Position[]) => Promise<readonly (Hash | null)[]>

async function addTxs<member extends Pick<MemberSummary, 'block' | 'logIndex'>>(
  members: readonly member[],
  readTxs: ReadTxs,
): Promise<WithTx<member>[]> {
  if (members.length === 0) return []
  const txs = await readTxs(members.map(({ block, logIndex }) => ({ block: block ?? 0, logIndex: logIndex ?? 0 })))
  return members.map((member, index) => ({ ...member, tx: txs[index] ?? null }))
}

type ReadAmounts = { answer: ReadonlyMap<string, TeamAmounts | undefined>; work: number }

type DownlineRequest = {
  address: Address
  order: 'asc' | 'desc'
  filter: ReferralsFilter | undefined
  /** Reads the amounts of a period of a page by address, for more columns. */
  readAmounts?: ((forest: Forest, items: readonly Referral[]) => Promise<ReadAmounts>) | undefined
}

/**
 * Streams the downline of a member, or the members that match a filter, in join order.
 *
 * @param forest Called for each page, because a reorganisation may replace the forest.
 */
export function streamDownline(
  forest: () => Forest | undefined,
  request: DownlineRequest,
  { readTxs, timeZone, tokens }: CsvFormat & { readTxs: ReadTxs },
): ReadableStream<FilePart> {
  const { readAmounts } = request
  return createFileStream<DownlineRow, string>({
    format: createCsvFormat(downlineColumns(tokens, readAmounts ? 'period' : 'total'), timeZone),
    async readPage(cursor) {
      const current = forest()
      const { items, nextCursor } = readDownline(current, request, cursor ?? null)
      const found = current && (await readAmounts?.(current, items))
      const rows = (await addTxs(items, readTxs)).map((row): DownlineRow => {
        const amounts = found?.answer.get(row.address)
        return amounts ? { ...row, amounts } : row
      })
      return { rows, next: nextCursor ?? undefined, work: found?.work }
    },
  })
}

function readDownline(forest: Forest | undefined, { address, order, filter }: DownlineRequest, cursor: string | null) {
  const id = forest?.find(address)
  if (!forest || id === undefined) throw new Error('The member is gone after a reorganisation of the chain.')
  const page = { sort: 'joined', order, limit: rowsPerPage, cursor } as const
  if (filter) return forest.filteredReferrals(id, { ...filter, ...page, total: 'skip' })
  return forest.referrals(id, { level: 'all', ...page })
}

type PastRequest = Pick<DownlineRequest, 'address' | 'order'> & {
  amounts: 'total' | 'none'
  /** `final`: nothing can change what happened up to the moment. */
  state: 'final' | 'whole'
  read: (forest: Forest, id: MemberId) => Promise<{ answer: PastDownline; work: number }>
}

/**
 * Streams the downline that a member had at a past moment, or the members of it that match a filter, in join order. They are found before
 * the first row, and once more after a reorganisation, unless that may have changed them: then it fails.
 *
 * @param forest Called for each page, because a reorganisation may replace the forest.
 */
export function streamPastDownline(
  forest: () => Forest | undefined,
  { address, order, amounts, state, read }: PastRequest,
  { readTxs, timeZone, tokens }: CsvFormat & { readTxs: ReadTxs },
): ReadableStream<FilePart> {
  let found: PastDownline | undefined
  const requireSame = () => {
    if (found?.isStale() && state !== 'final')
      throw new Error('Members were replaced in a reorganisation of the chain.')
  }
  return createFileStream<DownlineRow, number>({
    format: createCsvFormat(downlineColumns(tokens, amounts), timeZone),
    async prepare() {
      requireSame()
      if (found && !found.isStale()) return 0
      const now = forest()
      const id = now?.find(address)
      if (!now || id === undefined) throw new Error('The member is gone after a reorganisation of the chain.')
      const { answer, work } = await read(now, id)
      found = answer
      return work
    },
    async readPage(from = 0) {
      const downline = found as PastDownline
      const end = downline.length - from
      const items =
        order === 'asc'
          ? downline.rows(from, from + rowsPerPage)
          : downline.rows(Math.max(0, end - rowsPerPage), end).reverse()
      const rows = await addTxs(items, readTxs)
      // The transactions are of the same chain if nothing was replaced meanwhile.
      requireSame()
      return { rows, next: end > rowsPerPage ? from + rowsPerPage : undefined }
    },
  })
}

type HeldRequest = { list: HeldParameters['list']; format: FileFormat<WithTx<HeldMember>>; readTxs: ReadTxs }

/**
 * Streams all members or roots as they are now, whatever changes meanwhile. Fails if they cannot be kept any longer, or if a
 * reorganisation replaces what was read.
 *
 * @param forest Called for each page, because a reorganisation may replace the forest.
 */
export function streamHeld(forest: () => Forest, { list, format, readTxs }: HeldRequest): ReadableStream<FilePart> {
  const hold = forest().hold()
  return createFileStream<WithTx<HeldMember>, number>({
    format,
    async readPage(from = 0) {
      const { items, next } = forest().held(hold, { list, from, limit: rowsPerPage })
      const rows = await addTxs(items, readTxs)
      // The transactions are of the same chain if the state is still there.
      forest().held(hold, { list, from, limit: 1 })
      return { rows, next: next ?? undefined }
    },
    // A forest that was replaced does not know the state.
    release: () => forest().release(hold),
  })
}

type Page = readonly MemberEventRow[]
/** Reads at most `limit` rows after a row in the order of a list, together with that row; from the first one without it. */
type ReadEvents = (last: MemberEventRow | undefined, limit: number) => Promise<Page>

/**
 * Streams events. Each page except the first is read together with the last row before it: while that row belongs to the same
 * block, all rows up to it belong to the same branch of the chain.
 *
 * @param forest Called for each page, because a reorganisation may replace the forest.
 */
export function streamEvents(
  readEvents: ReadEvents,
  forest: () => Forest,
  format: FileFormat<ListedEvent>,
): ReadableStream<FilePart> {
  const readAfter = async (last: MemberEventRow): Promise<Page> => {
    const [again, ...rows] = await readEvents(last, rowsPerPage + 1)
    if (again && isSameEvent(again, last)) return rows
    throw new Error('Events were replaced in a reorganisation of the chain.')
  }
  return createFileStream<ListedEvent, MemberEventRow>({
    format,
    async readPage(last) {
      const rows = last ? await readAfter(last) : await readEvents(undefined, rowsPerPage)
      const { statusAt } = forest()
      return {
        rows: rows.map((row) => toMemberEvent(row, row.amount === null ? statusAt(row) : null)),
        next: rows.length < rowsPerPage ? undefined : rows.at(-1),
      }
    },
  })
}

const isSameEvent = (left: MemberEventRow, right: MemberEventRow): boolean =>
  isSamePosition(left, right) && left.rank === right.rank && left.blockHash === right.blockHash

type FileLookup = LookupOf<CommunityFileId>
type Contents = 'members' | 'roots' | 'events' | 'series'

/** Lookups that answer with a file of a whole community, which is of one block. */
export const communityFiles: Pick<Lookups, CommunityFileId> = {
  membersCsv: (lookup) => sendHeld(lookup, 'members', 'csv'),
  membersParquet: (lookup) => sendHeld(lookup, 'members', 'parquet'),
  rootsCsv: (lookup) => sendHeld(lookup, 'roots', 'csv'),
  eventsCsv: (lookup) => sendEvents(lookup, 'csv'),
  eventsParquet: (lookup) => sendEvents(lookup, 'parquet'),
  seriesCsv: (lookup) => sendSeries(lookup, 'csv'),
  seriesParquet: (lookup) => sendSeries(lookup, 'parquet'),
}

type FileResult = Result<CommunityFileId>
type Named<row> = { contents: Contents; type: FileType; asOf: AsOf; columns: readonly Column<row>[] }

/** Returns the format of a file whose columns, name and metadata tell its block, and its headers. */
function describeFile<row>(
  lookup: FileLookup,
  { contents, type, asOf, columns }: Named<row>,
): { format: FileFormat<row>; headers: Record<string, string> } {
  const { community } = lookup
  const all = atBlock(columns, asOf.block)
  const about = {
    community: community.id,
    contract: community.address,
    contents,
    asOfBlock: String(asOf.block),
    asOfTime: new Date(asOf.timestamp * 1000).toISOString(),
  }
  return {
    format: type === 'csv' ? createCsvFormat(all, zoneOf(lookup)) : createParquetFormat(all, about),
    headers: fileHeaders(`${community.id}-${contents}-${asOf.block}`, type),
  }
}

/** Returns the time zone of a file: UTC for one without days and texts of times. */
const zoneOf = ({ query }: FileLookup): string => ('tz' in query ? String(query.tz) : 'UTC')

function sendHeld(lookup: FileLookup, list: HeldParameters['list'], type: FileType): FileResult {
  const { community, view, sources } = lookup
  const columns = memberColumns(community.tokens)
  const { format, headers } = describeFile(lookup, { contents: list, type, asOf: view.asOf, columns })
  const forest = () => sources.requireView(community.id).forest
  return { body: streamHeld(forest, { list, format, readTxs: readTxsOf(sources, community.id) }), headers }
}

/** Returns the function that reads transactions, and waits for the forest if a reorganisation is being followed. */
const readTxsOf =
  ({ tables, requireView, catchUp }: Sources, community: string): ReadTxs =>
  async (positions) => {
    const read = () => tables.findTxs(requireView(community), positions)
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof EventsReplacedError)) throw error
      await catchUp()
      return read()
    }
  }

async function sendEvents(lookup: FileLookup, type: FileType): Promise<FileResult> {
  const { community, view, sources } = lookup
  const columns = eventColumns(community.tokens)
  const { format, headers } = describeFile(lookup, { contents: 'events', type, asOf: view.asOf, columns })
  const readEvents = (last: MemberEventRow | undefined, limit: number) => sources.tables.readAll(view, last, limit)
  // A database that does not respond is said at once instead of by a file that breaks off.
  await readEvents(undefined, 1).catch(refuseWithoutDatabase)
  return { body: streamEvents(readEvents, () => sources.requireView(community.id).forest, format), headers }
}

function sendSeries(lookup: FileLookup, type: FileType): FileResult {
  const { community, view, atLeast, drawings } = lookup
  const { moment, output } = drawings(zoneOf(lookup)).metrics.full(view, atLeast)
  const columns = seriesColumns(community.tokens)
  const { format, headers } = describeFile(lookup, { contents: 'series', type, asOf: moment.asOf, columns })
  const readPage = () => ({ rows: output.series, next: undefined })
  return { body: createFileStream({ format, readPage }), headers, moment }
}
