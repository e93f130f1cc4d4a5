import { open, rename, rm } from 'node:fs/promises'
import type { Community } from '@lineage/communities'
import type { SourceRow } from '@lineage/database'
import { createDecoder, type EventRow } from './decode.ts'
import type { HistoryLog } from './history/HistorySource.ts'
import type { Tables } from './tables.ts'

export type ExportHistoryParameters = {
  communities: readonly Community[]
  tables: Pick<Tables, 'findSource' | 'loadPage'>
  file: string
}

export type Exported = { logs: number; block: number }

/** Number of rows of a source that are held in memory. */
const pageSize = 5_000

/** Thrown when the history cannot be exported. No file was written. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

/**
 * Exports the history of these communities to a file that `LINEAGE_HISTORY` accepts: all final logs that were read, in
 * chain order.
 *
 * @throws {ExportError} if the file exists or cannot be written, or no history was read yet
 */
export async function exportHistory({ communities, tables, file }: ExportHistoryParameters): Promise<Exported> {
  const partial = `${file}.partial`
  const refuse = (error: NodeJS.ErrnoException): never => {
    throw new ExportError(`${file} cannot be written (${error.code}).`)
  }
  const output = await open(file, 'wx')
    .then((made) => made.close())
    .then(() => openPartial(partial, file))
    .catch(refuse)
  try {
    const sources: { community: Community; row: SourceRow }[] = []
    for (const community of communities) {
      const row = await tables.findSource(community)
      if (row) sources.push({ community, row })
    }
    let logs = 0
    await output.write(`${Object.keys(columns).join()}\n`).catch(refuse)
    for await (const lines of readLines(sources, tables)) {
      await output.write(lines.join('')).catch(refuse)
      logs += lines.length
    }
    if (logs === 0) throw new ExportError('The history has no events of these communities yet: start the reader first.')
    await output
      .sync()
      .then(() => output.close())
      .then(() => rename(partial, file))
      .catch(refuse)
    return { logs, block: Math.max(...sources.map(({ row }) => row.finalized)) }
  } catch (error) {
    await output.close().catch(() => undefined)
    for (const one of [partial, file]) await rm(one, { force: true })
    throw error
  }
}

/** Creates the unfinished file, and removes a file or link in its place. Removes `file` on failure. */
async function openPartial(partial: string, file: string) {
  try {
    await rm(partial, { force: true })
    return await open(partial, 'wx')
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

type OpenSource = { rows: AsyncGenerator<EventRow>; next: EventRow; encode: (row: EventRow) => HistoryLog }

/** Reads the lines of all sources in chain order, each log once. */
async function* readLines(
  sources: readonly { community: Community; row: SourceRow }[],
  tables: Pick<Tables, 'loadPage'>,
): AsyncGenerator<string[]> {
  const opened: OpenSource[] = []
  for (const { community, row } of sources) {
    const rows = readRows(row, tables)
    const { value } = await rows.next()
    if (value) opened.push({ rows, next: value, encode: createDecoder(community).encode })
  }
  let lines: string[] = []
  let last: EventRow | undefined
  while (opened.length > 0) {
    const source = opened.reduce((left, right) => (isBefore(right.next, left.next) ? right : left))
    const row = source.next
    if (last?.block !== row.block || last.logIndex !== row.logIndex) lines.push(toLine(source.encode(row), row))
    last = row
    const { value } = await source.rows.next()
    if (value) source.next = value
    else opened.splice(opened.indexOf(source), 1)
    if (lines.length < pageSize && opened.length > 0) continue
    yield lines
    lines = []
  }
}

const isBefore = (left: EventRow, right: EventRow) =>
  left.block < right.block || (left.block === right.block && left.logIndex < right.logIndex)

async function* readRows({ id, finalized }: SourceRow, tables: Pick<Tables, 'loadPage'>): AsyncGenerator<EventRow> {
  for (let after = { block: -1, logIndex: -1, kind: -1 }; ; ) {
    const page = await tables.loadPage(id, { after, upTo: finalized, limit: pageSize })
    // Binds that the contract was asked for are no logs.
    yield* page.filter(({ asked }) => asked === null)
    const last = page.at(-1)
    if (!last) return
    after = last
  }
}

/** Columns of the file, each with its value. They contain no comma and no quote. */
const columns = {
  block_time: (_: HistoryLog, { time }: EventRow) => time,
  block_number: (_: HistoryLog, { block }: EventRow) => block,
  block_hash: ({ blockHash }: HistoryLog) => blockHash,
  contract_address: ({ address }: HistoryLog) => address,
  topic0: ({ topics }: HistoryLog) => topics[0],
  topic1: ({ topics }: HistoryLog) => topics[1],
  topic2: ({ topics }: HistoryLog) => topics[2],
  topic3: ({ topics }: HistoryLog) => topics[3],
  data: ({ data }: HistoryLog) => data,
  tx_hash: ({ transactionHash }: HistoryLog) => transactionHash,
  index: (_: HistoryLog, { logIndex }: EventRow) => logIndex,
  tx_index: (_: HistoryLog, { txIndex }: EventRow) => txIndex,
}

const toLine = (log: HistoryLog, row: EventRow): string =>
  `${Object.values(columns)
    .map((read) => read(log, row) ?? '')
    .join()}\n`
