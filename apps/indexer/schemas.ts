import { type OpenDatabase, openPostgres } from './openDatabase.ts'
import { hasReaders, selectLatestBlock } from './ponderInternals.ts'
import { emptyIfMissing } from './src/api/tables/runSql.ts'
import { schemaLock } from './takeWriterLock.ts'

/** Matches the names of schemas with an index. Each configuration has its own. */
export const schemaPattern = /^lineage_[0-9a-f]{12}$/

/** The index of a configuration. */
export type IndexSchema = {
  name: string
  /** Ids of the communities that have final events. */
  communities: string[]
  /** Number of final events. */
  events: number
  /** Bytes on disk. */
  size: number
  /** Newest block; `null` before the first one. */
  block: number | null
  /** Processes that use the index: the indexer that fills it, and replicas. */
  use: 'filled' | 'read' | 'unused'
}

/** Lists the schemas of a database that have an index. */
export async function listSchemas(url: string): Promise<IndexSchema[]> {
  const database = await openPostgres(url)
  try {
    const { rows } = await database.query(
      `select nspname as name from pg_namespace where nspname ~ '${schemaPattern.source}' order by nspname`,
    )
    const found: IndexSchema[] = []
    for (const { name } of rows as { name: string }[]) found.push(await describeSchema(database, name))
    return found
  } finally {
    await database.close()
  }
}

/**
 * Removes the index of a configuration, unless a process uses it. Keeps the data read from the nodes, which all
 * indexes of the database share.
 *
 * @returns the reason why it was not removed
 */
export async function removeSchema(url: string, name: string): Promise<'removed' | 'missing' | 'filled' | 'read'> {
  const database = await openPostgres(url)
  try {
    const { rows } = await database.query(`select 1 from pg_namespace where nspname = '${name}'`)
    if (rows.length === 0) return 'missing'
    // The connection holds the lock until it closes, so that no indexer starts to fill the schema meanwhile.
    const use = await findUse(database, name)
    if (use !== 'unused') return use
    await database.query(`drop schema "${name}" cascade`)
    await database.query(`delete from lineage.known_block where starts_with(name, '${name}')`).catch(emptyIfMissing)
    return 'removed'
  } finally {
    await database.close()
  }
}

async function describeSchema(database: OpenDatabase, name: string): Promise<IndexSchema> {
  const select = async (text: string) => (await database.query(text).catch(emptyIfMissing)).rows[0]
  const { size } = (await select(
    `select coalesce(sum(pg_total_relation_size(oid)), 0)::float8 as size from pg_class
      where relnamespace = '"${name}"'::regnamespace and relkind = 'r'`,
  )) as { size: number }
  const counted = (await select(
    `select coalesce(sum((value->>'count')::int8), 0)::float8 as events,
      coalesce(jsonb_agg(distinct split_part(key, ' ', 1)), '[]') as communities
      from "${name}".lineage_digest, jsonb_each(digests)`,
  )) as Pick<IndexSchema, 'events' | 'communities'> | undefined
  const latest = (await select(selectLatestBlock(name))) as { block: number } | undefined
  const use = await findUse(database, name)
  if (use === 'unused') await database.query(`select ${schemaLock(name, 'release')}`)
  return { name, size, events: 0, communities: [], ...counted, block: latest?.block ?? null, use }
}

/** Finds out which processes use a schema. If it is unused, this connection takes its lock. */
async function findUse({ query }: OpenDatabase, name: string): Promise<IndexSchema['use']> {
  const { rows } = await query(`select ${schemaLock(name, 'take')} as taken, ${hasReaders(name)} as connected`)
  const [{ taken, connected } = { taken: false, connected: false }] = rows as { taken: boolean; connected: boolean }[]
  if (!taken) return 'filled'
  if (!connected) return 'unused'
  await query(`select ${schemaLock(name, 'release')}`)
  return 'read'
}
