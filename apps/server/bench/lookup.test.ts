import { openPool } from '@lineage/database'
import { startTestPostgres } from '@lineage/database/testing'
import { expect, test } from 'vitest'
import { addressOf } from '../../../packages/forest/bench/community.ts'
import { serve } from './lookup.ts'
import { createTasks } from './lookupTasks.ts'
import { fillTables } from './tables.ts'

test('behavior: the tables of the benchmark are served, and each of its lookups is answered, also in SQL', async () => {
  const members = 600
  const postgres = await startTestPostgres()
  const url = await postgres.createDatabase()
  const pool = openPool({ url, timeout: 60_000 })
  await fillTables(pool, { members, communities: 2, sql: 'compare' })
  const server = await serve({ url }, 2)
  const tasks = await createTasks(async (path) => JSON.parse((await server.ask(path)).body), { members, rounds: 1 })
  for (const { name, path, body, sql } of tasks) {
    expect([name, (await server.ask(path(0), body?.(0))).status]).toEqual([name, 'answered'])
    if (sql) await pool.query(sql(0))
  }
  const sizes: number[] = []
  await server.read(`/communities/demo/members/${addressOf(0)}/referrals.csv`, (size) => sizes.push(size))
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(members * 50)
  server.stop()
  await pool.end()
  await postgres.stop()
})
