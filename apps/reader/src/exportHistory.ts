import { open, rename, rm } from 'node:fs/promises'
import { toEventSelector } from 'viem'
import type { Community } from './config/index.ts'
import { toContracts } from './config/toContracts.ts'
import { type OpenDatabase, openPglite, openPostgres } from './openDatabase.ts'
import { selectFinalizedBlock, selectSyncedLogs } from './ponderInternals.ts'

export type ExportHistoryParameters = {
  /** Directory of an embedded database, or URL of a PostgreSQL database. */
  database: { directory: string } | { url: string }
  schema: string
  communities: readonly Community[]
  file: string
}

export type Exported = { logs: number; block: number }

/** Number of rows held in memory. */
const pageSize = 5_000

/** Thrown when the history cannot be exported. No file was written. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

/**
 * Exports the history of these communities to a file that `LINEAGE_HISTORY` accepts: all final logs that were read
 * from the nodes, in chain order.
 *
 * @throws {ExportError} if the file exists, or no history was read yet
 */
export async function exportHistory({
  database,
  schema,
  communities,
  file,
}: ExportHistoryParameters): Promise<Exported> {
  const partial = `${file}.partial`
  const output = await open(file, 'wx')
    .then((made) => made.close())
    .then(() => openPartial(partial, file))
    .catch((error: NodeJS.ErrnoException) => {
      throw new ExportError(`${file} cannot be written (${error.code}).`)
    })
  const opened = await ('url' in database ? openPostgres(database.url) : openPglite(database.directory)).catch(
    () => undefined,
  )
  try {
    if (!opened) throw new ExportError('The database does not respond, or refuses the connection.')
    const block = await readFinalizedBlock(opened, schema)
    const sources = Object.values(toContracts(communities))
    const wanted = sources.map(({ address, abi: [event] }) => ({ address, topic: toEventSelector(event) }))
    let logs = 0
    for await (const rows of readPages(opened, wanted, block)) {
      if (logs === 0) await output.write(toLine(Object.keys(rows[0] ?? {})))
      await output.write(rows.map((row) => toLine(Object.values(row))).join(''))
      logs += rows.length
    }
    if (logs === 0) throw new ExportError('The history has no events of these communities yet.')
    await output.sync()
    await output.close()
    await rename(partial, file)
    return { logs, block }
  } catch (error) {
    await output.close().catch(() => undefined)
    for (const one of [partial, file]) await rm(one, { force: true })
    throw error
  } finally {
    await opened?.close()
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

type Row = Record<string, string | number | null>

async function readFinalizedBlock(opened: OpenDatabase, schema: string): Promise<number> {
  const found = await opened.query(selectFinalizedBlock(schema)).catch(() => ({ rows: [] }))
  const [row] = found.rows as { block: number }[]
  if (!row) throw new ExportError('The history of this configuration has not been read yet: start the indexer first.')
  return row.block
}

async function* readPages(opened: OpenDatabase, wanted: Parameters<typeof selectSyncedLogs>[0], upTo: number) {
  for (let after = { block: -1, index: -1 }; ; ) {
    const { rows } = (await opened.query(selectSyncedLogs(wanted, { after, upTo, limit: pageSize }))) as { rows: Row[] }
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = { block: Number(last.block_number), index: Number(last.index) }
  }
}

/** Formats a row. Values are numbers and hexadecimal bytes, which contain no comma or quote. */
const toLine = (values: readonly (string | number | null)[]): string => `${values.join()}\n`
