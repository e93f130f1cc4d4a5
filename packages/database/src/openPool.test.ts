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

test('behavior: each connection has its limits before its first statement, and nothing is sent meanwhile', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  const fresh = openPool({ url: postgres.url, timeout: 2_000 })
  const names = ['statement_timeout', 'idle_in_transaction_session_timeout', 'tcp_keepalives_idle', 'tcp_user_timeout']
  const { rows } = await fresh.query(
    'select name, setting::integer from pg_settings where name = any($1) order by name',
    [names],
  )
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    statement_timeout: 1_800,
    idle_in_transaction_session_timeout: 10_000,
    tcp_keepalives_idle: 5,
    tcp_user_timeout: 10_000,
  })
  await fresh.end()
  process.off('warning', note)
  expect(warnings).toEqual([])
})

test('behavior: settings of a database or role that would change the meaning of statements are undone', async () => {
  const url = await postgres.createDatabase()
  const name = new URL(url).pathname.slice(1)
  const wanted = {
    bytea_output: ['escape', 'hex'],
    client_encoding: ['LATIN1', 'UTF8'],
    datestyle: ['German', 'ISO, DMY'],
    default_transaction_isolation: ['serializable', 'read committed'],
    idle_session_timeout: ['1min', '0'],
    intervalstyle: ['sql_standard', 'postgres'],
    lock_timeout: ['1ms', '4000'],
    standard_conforming_strings: ['off', 'on'],
    transaction_timeout: ['1min', '0'],
  }
  for (const [setting, [value]] of Object.entries(wanted))
    await pool.query(`alter database ${name} set ${setting} = '${value}'`)
  const odd = openPool({ url })
  const { rows } = await odd.query(
    'select lower(name) as name, setting from pg_settings where lower(name) = any($1) order by 1',
    [Object.keys(wanted)],
  )
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(
    Object.fromEntries(Object.entries(wanted).map(([setting, [, value]]) => [setting, value])),
  )
  await odd.end()
})

test('error: a statement that takes too long is given up by PostgreSQL, and its connection goes on', async () => {
  const impatient = openPool({ url: postgres.url, timeout: 500, max: 1 })
  const { rows } = await impatient.query('select pg_backend_pid() as pid')
  await expect(runTransaction(impatient, (client) => client.query('select pg_sleep(2)'))).rejects.toMatchObject({
    code: '57014',
  })
  expect((await impatient.query('select pg_backend_pid() as pid')).rows).toEqual(rows)
  await impatient.end()
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
