import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIndexTables, indexSchema } from './indexTables.ts'
import { openPool, runTransaction } from './openPool.ts'
import { startTestPostgres, type TestPostgres } from './testing.ts'

let postgres: TestPostgres
let pool: ReturnType<typeof openPool>

beforeAll(async () => {
  postgres = await startTestPostgres()
  pool = openPool({ url: await postgres.createDatabase() })
  await pool.query('create table kept (one integer)')
})
afterAll(async () => {
  await pool.end()
  await postgres.stop()
})

const countRows = async () => (await pool.query<{ count: number }>('select count(*) as count from kept')).rows[0]?.count

test('behavior: large integers are numbers', async () => {
  const { rows } = await pool.query(
    'select 9007199254740991::bigint as block, array[1]::bigint[] as list, 1.5::numeric as amount',
  )
  expect(rows).toEqual([{ block: Number.MAX_SAFE_INTEGER, list: ['1'], amount: '1.5' }])
})

test('behavior: a transaction is stored as a whole, or not at all', async () => {
  expect(
    await runTransaction(pool, async (client) => (await client.query('insert into kept values (1)')).rowCount),
  ).toBe(1)
  const failing = runTransaction(pool, async (client) => {
    await client.query('insert into kept values (2)')
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  expect(await countRows()).toBe(1)
})

test('error: the connection is lost during a transaction: it fails, and the next one works', async () => {
  const lost = runTransaction(pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await client.query('select 1')
  })
  await expect(lost).rejects.toThrow(/terminat|connection/)
  expect((await runTransaction(pool, (client) => client.query('select 1 as one'))).rows).toEqual([{ one: 1 }])
})

test('behavior: several processes create the tables of the index at once', async () => {
  await Promise.all([1, 2, 3, 4].map(() => createIndexTables(pool)))
  expect((await pool.query(`select * from ${indexSchema}.source`)).rows).toEqual([])
})

test('error: tables that cannot be created leave no open transaction behind', async () => {
  const single = openPool({ url: postgres.url, max: 1 })
  await single.query(`create schema ${indexSchema}; create view ${indexSchema}.event as select 1 as id`)
  await expect(createIndexTables(single)).rejects.toThrow()
  expect((await single.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await single.end()
})
