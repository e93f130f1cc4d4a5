import { deletePgliteDirectory } from '@lineage/embedded-database'
import { openPostgres } from './openDatabase.ts'
import { syncSchema } from './ponderInternals.ts'
import { schemaPattern } from './schemas.ts'
import { exclusiveLock } from './takeWriterLock.ts'

/**
 * Deletes all data read from the chain: every index, and Ponder's cache of the nodes' responses.
 *
 * @returns `in_use` if a process writes to the database
 */
export async function forgetChain(database: { directory: string } | { url: string }): Promise<'forgotten' | 'in_use'> {
  if ('directory' in database) {
    deletePgliteDirectory(database.directory)
    return 'forgotten'
  }
  const { query, close } = await openPostgres(database.url)
  try {
    const [lock] = (await query(exclusiveLock)).rows as { taken: boolean }[]
    if (!lock?.taken) return 'in_use'
    const { rows } = await query(
      `select schema_name as name from information_schema.schemata
        where schema_name ~ '${schemaPattern.source}' or schema_name in ('lineage', '${syncSchema}')`,
    )
    for (const { name } of rows as { name: string }[]) await query(`drop schema "${name}" cascade`)
    return 'forgotten'
  } finally {
    await close()
  }
}
