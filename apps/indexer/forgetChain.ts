import { deletePgliteDirectory } from '@lineage/embedded-database'
import { type OpenDatabase, openPglite, openPostgres } from './openDatabase.ts'
import { syncSchema } from './ponderInternals.ts'
import { schemaPattern } from './schemas.ts'
import { exclusiveLock } from './takeWriterLock.ts'

/**
 * Deletes all data read from the chain: every index, and Ponder's cache of the nodes' responses.
 *
 * @returns `in_use` if a process writes to the database; `other_data` if an embedded one has other tables. Nothing is
 * deleted then.
 */
export async function forgetChain(
  database: { directory: string } | { url: string },
): Promise<'forgotten' | 'in_use' | 'other_data'> {
  if ('directory' in database) {
    if (await hasOtherTables(database.directory)) return 'other_data'
    deletePgliteDirectory(database.directory)
    return 'forgotten'
  }
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

/** Returns whether an embedded database has tables that are not read from the chain, such as those of the accounts. */
async function hasOtherTables(directory: string): Promise<boolean> {
  let database: OpenDatabase | undefined
  try {
    database = await openPglite(directory)
    const { rows } = await database.query(
      `select from information_schema.tables
        where table_schema not in ('pg_catalog', 'information_schema') and not ${isRead('table_schema')} limit 1`,
    )
    return rows.length > 0
  } catch {
    // A damaged index cannot be opened, which is a reason to delete it.
    return false
  } finally {
    await database?.close().catch(() => undefined)
  }
}
