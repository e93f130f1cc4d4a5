import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { deletePgliteDirectory } from '@lineage/embedded-database'
import { type OpenDatabase, openPglite, openPostgres } from './openDatabase.ts'
import { syncSchema } from './ponderInternals.ts'
import { schemaPattern } from './schemas.ts'
import { exclusiveLock } from './takeWriterLock.ts'

/**
 * Deletes all data read from the chain: every index, and Ponder's cache of the nodes' responses.
 *
 * @returns `in_use` if a process writes to the database, `other_data` if an embedded one has other tables; nothing is
 * deleted then. `keptAt`: the new name of an embedded one that cannot be opened, because it may be that of the accounts.
 * @throws {Error} if it cannot be renamed
 */
export async function forgetChain(
  database: { directory: string } | { url: string },
): Promise<'forgotten' | 'in_use' | 'other_data' | { keptAt: string }> {
  if ('directory' in database) return forgetDirectory(database.directory)
  const { query, close } = await openPostgres(database.url)
  try {
    const [lock] = (await query(exclusiveLock)).rows as { taken: boolean }[]
    if (!lock?.taken) return 'in_use'
    const { rows } = await query(
      `select schema_name as name from information_schema.schemata where ${isRead('schema_name')}`,
    )
    for (const { name } of rows as { name: string }[]) await query(`drop schema "${name}" cascade`)
    return 'forgotten'
  } finally {
    await close()
  }
}

/** Returns the SQL condition for schemas with data read from the chain. */
const isRead = (column: string) =>
  `(${column} ~ '${schemaPattern.source}' or ${column} in ('lineage', '${syncSchema}'))`

async function forgetDirectory(directory: string): Promise<'forgotten' | 'other_data' | { keptAt: string }> {
  const content = await inspect(directory)
  if (content === 'other_tables') return 'other_data'
  if (content === 'index') {
    deletePgliteDirectory(directory)
    return 'forgotten'
  }
  const keptAt = `${directory}.unreadable-${Date.now()}`
  renameSync(directory, keptAt)
  return { keptAt }
}

/** Finds out whether an embedded database has tables that are not read from the chain, such as those of the accounts. */
async function inspect(directory: string): Promise<'index' | 'other_tables' | 'unreadable'> {
  if (!existsSync(join(directory, 'PG_VERSION'))) return 'index'
  let database: OpenDatabase | undefined
  try {
    database = await openPglite(directory)
    const { rows } = await database.query(
      `select from information_schema.tables
        where table_schema not in ('pg_catalog', 'information_schema') and not ${isRead('table_schema')} limit 1`,
    )
    return rows.length > 0 ? 'other_tables' : 'index'
  } catch {
    return 'unreadable'
  } finally {
    await database?.close().catch(() => undefined)
  }
}
