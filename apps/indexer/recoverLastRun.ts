import { eventKinds, eventTable } from './eventTables.ts'
import { type KnownBlock, selectKnownBlocks } from './knownBlocks.ts'
import { type OpenDatabase, openPglite, openPostgres } from './openDatabase.ts'
import {
  deleteUnsafeRows,
  endWriters,
  releaseLock,
  selectFinalizedBlock,
  selectIsUnfinished,
} from './ponderInternals.ts'

export type RecoverLastRunParameters = {
  /** Directory of an embedded database, or URL of a PostgreSQL database. */
  database: { directory: string } | { url: string }
  schema: string
}

export type LastRun = {
  finalizedBlock?: number
  /** Blocks on which the indexes in this database were built. */
  knownBlocks: KnownBlock[]
}

/**
 * Prepares the tables of the last run before Ponder opens them: releases Ponder's lock, ends connections that
 * outlived their process, and deletes from an embedded database the rows that Ponder will read again, and tables whose
 * creation was interrupted. No other process may be writing to them.
 *
 * Returns nothing if the database cannot be opened, because Ponder reports the reason.
 */
export async function recoverLastRun(parameters: RecoverLastRunParameters): Promise<LastRun> {
  const { database, schema } = parameters
  const opening = 'url' in database ? openPostgres(database.url) : openPglite(database.directory)
  const opened = await opening.catch(() => undefined)
  if (!opened) return { knownBlocks: [] }
  try {
    const known = await opened.query(selectKnownBlocks()).catch(() => undefined)
    if ('directory' in database && (await isUnfinished(opened, schema)))
      await opened.query(`drop schema "${schema}" cascade`)
    const finalizedBlock = await recoverTables(opened, parameters)
    return { ...(finalizedBlock !== undefined && { finalizedBlock }), knownBlocks: (known?.rows ?? []) as KnownBlock[] }
  } finally {
    await opened.close()
  }
}

async function recoverTables(opened: OpenDatabase, { database, schema }: RecoverLastRunParameters) {
  try {
    if ('url' in database) await opened.query(endWriters(schema))
    await opened.query(releaseLock(schema))
    if ('directory' in database) await runInTransaction(opened, deleteUnsafeRows(schema, eventKinds.map(eventTable)))
    const found = await opened.query(selectFinalizedBlock(schema))
    return (found.rows as { block: number }[])[0]?.block
  } catch {
    // The last run ended before it created its tables, or had another configuration: there is nothing to recover.
    return undefined
  }
}

/** Returns whether the creation of a schema's tables was interrupted; `false` if none was begun. */
async function isUnfinished(database: OpenDatabase, schema: string): Promise<boolean> {
  const found = await database.query(selectIsUnfinished(schema)).catch(() => undefined)
  return (found?.rows as { is_unfinished: boolean }[] | undefined)?.[0]?.is_unfinished === true
}

async function runInTransaction(database: OpenDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of ['begin', ...statements, 'commit']) await database.query(statement)
}
