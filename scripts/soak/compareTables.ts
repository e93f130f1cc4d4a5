import { createHash } from 'node:crypto'
import { indexSchema, openPool } from '@lineage/database'
import { waitUntil } from './serverStatus.ts'
import type { Cluster } from './startCluster.ts'

/** Reads the chain into an empty database, and compares the events with those of the cluster. */
export async function compareTables(cluster: Cluster) {
  const name = `fresh_${Date.now()}`
  await cluster.pool.query(`create database ${name}`)
  const url = new URL(cluster.databaseUrl)
  url.pathname = name
  const fresh = openPool({ url: url.href })
  const reader = await cluster.startProcess('reader-1', 'reader', { DATABASE_URL: url.href })
  try {
    const newest = Number(await cluster.chain.client.getBlockNumber({ cacheTime: 0 }))
    const hasAll = async (pool: typeof fresh) => {
      const sql = `select min(block) as block from ${indexSchema}.source where community = 'soak' and state = 'live'`
      const { rows } = await pool.query<{ block: number }>(sql).catch(() => ({ rows: [] }))
      return Number(rows[0]?.block) >= newest
    }
    for (const pool of [fresh, cluster.pool])
      if (!(await waitUntil(() => hasAll(pool), 120_000)))
        throw new Error(`Block ${newest} was not read:\n${reader.output()}`)
    const [expected, found] = [await readEvents(fresh, newest), await readEvents(cluster.pool, newest)]
    return { rows: found.count, tables: found.hash === expected.hash ? ('equal' as const) : ('different' as const) }
  } finally {
    await reader.end('SIGTERM')
    await fresh.end()
  }
}

/** Returns a digest of the events up to a block, without the number that the database gave to the source. */
async function readEvents(pool: Cluster['pool'], upTo: number) {
  const { rows } = await pool.query<{ row: string }>(
    `select (to_jsonb(event) - 'source')::text as row from ${indexSchema}.event
      join ${indexSchema}.source on source.id = event.source
      where source.community = 'soak' and event.block <= $1 order by event.block, log_index, kind`,
    [upTo],
  )
  const hash = createHash('sha256')
  for (const { row } of rows) hash.update(`${row}\n`)
  return { count: rows.length, hash: hash.digest('hex') }
}
