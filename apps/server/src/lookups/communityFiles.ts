import type { HeldParameters } from '@lineage/forest'
import type { AsOf, CommunityFileId } from '@lineage/referral-api'
import { atBlock, type Column, eventColumns, memberColumns, seriesColumns } from './columns.ts'
import { createCsvFormat } from './csv.ts'
import { EventsReplacedError, type MemberEventRow, refuseWithoutDatabase } from './eventTables.ts'
import { createFileStream, type FileFormat } from './fileStream.ts'
import { type FileType, fileHeaders, type ReadTxs, streamEvents, streamHeld } from './files.ts'
import type { LookupOf, Lookups, Result, Sources } from './lookup.ts'
import { createParquetFormat } from './parquet.ts'

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
