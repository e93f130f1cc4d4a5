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
  /** Ids of the communities. */
  communities: readonly string[]
}

export type LastRun = {
  finalizedBlock?: number
  /** Blocks on which the indexes in this database were built. */
  knownBlocks: KnownBlock[]
  /** Ids of the communities that have binds in the tables. */
  withBinds?: string[]
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
    const recovered = await recoverTables(opened, parameters)
    return { ...recovered, knownBlocks: (known?.rows ?? []) as KnownBlock[] }
  } finally {
    await opened.close()
  }
}

async function recoverTables(
  opened: OpenDatabase,
  { database, schema, communities }: RecoverLastRunParameters,
): Promise<Omit<LastRun, 'knownBlocks'>> {
  try {
    if ('url' in database) await opened.query(endWriters(schema))
    await opened.query(releaseLock(schema))
    if ('directory' in database) await runInTransaction(opened, deleteUnsafeRows(schema, eventKinds.map(eventTable)))
    const found = await opened.query(selectFinalizedBlock(schema))
    const finalizedBlock = (found.rows as { block: number }[])[0]?.block
    const { rows } = await opened.query(selectWithBinds(schema, communities))
    const withBinds = (rows as { id: string }[]).map(({ id }) => id)
    return { ...(finalizedBlock !== undefined && { finalizedBlock }), withBinds }
  } catch {
    // The last run ended before it created its tables, or had another configuration: there is nothing to recover.
    return {}
  }
}

/** Returns SQL that selects the communities with a bind; rows without a referrer are unbinds. Ids consist of letters, digits and "-". */
const selectWithBinds = (schema: string, ids: readonly string[]): string =>
  `select id from unnest(array[${ids.map((id) => `'${id}'`).join()}]) as ids(id)
    where exists (select from "${schema}".${eventTable('bind')} where community = id and referrer is not null)`

/** Returns whether the creation of a schema's tables was interrupted; `false` if none was begun. */
async function isUnfinished(database: OpenDatabase, schema: string): Promise<boolean> {
  const found = await database.query(selectIsUnfinished(schema)).catch(() => undefined)
  return (found?.rows as { is_unfinished: boolean }[] | undefined)?.[0]?.is_unfinished === true
}

async function runInTransaction(database: OpenDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of ['begin', ...statements, 'commit']) await database.query(statement)
}
