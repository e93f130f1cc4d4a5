import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMissingIndex } from './createMissing.ts'
import { createIndexTables, indexSchema } from './indexTables.ts'
import { openPool, runTransaction } from './openPool.ts'
import { startTestPostgres, type TestPostgres } from './testing.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startTestPostgres()
})
afterAll(() => postgres.stop())

test('behavior: tables that exist are created again without a wait for those who use them', async () => {
  const url = await postgres.createDatabase()
  const [pool, other] = [openPool({ url }), openPool({ url, timeout: 2_000 })]
  await createIndexTables(pool)
  await runTransaction(pool, async (client) => {
    const tables = await client.query('select schemaname, tablename from pg_tables where schemaname = $1', [
      indexSchema,
    ])
    for (const { schemaname, tablename } of tables.rows)
      await client.query(`lock table ${schemaname}.${tablename} in exclusive mode`)
    await createIndexTables(other)
  })
  await Promise.all([pool.end(), other.end()])
})

test('behavior: indexes, columns and optional values that an earlier version lacks are added', async () => {
  const pool = openPool({ url: await postgres.createDatabase() })
  const shape = () =>
    pool.query(
      `select attrelid::regclass::text as of, attname as name, attnotnull as required from pg_attribute
        where attrelid::regclass::text like '${indexSchema}.%' and attnum > 0 and not attisdropped order by 1, 2`,
    )
  await createIndexTables(pool)
  const { rows: wanted } = await shape()
  await pool.query(`
    drop index ${indexSchema}.event_binds;
    alter table ${indexSchema}.event drop column grade, alter column tx set not null;
    alter table ${indexSchema}.reading drop column position`)
  expect((await shape()).rows).not.toEqual(wanted)
  await createIndexTables(pool)
  expect((await shape()).rows).toEqual(wanted)
  await pool.end()
})

test('behavior: tables are created in a schema that exists, without the right to create schemas', async () => {
  const url = await postgres.createDatabase()
  const admin = openPool({ url })
  await admin.query(`create role tenant login; create schema ${indexSchema};
    grant usage, create on schema ${indexSchema} to tenant`)
  await postgres.setRules('host all all all trust\n')
  const pool = openPool({ url: url.replace(/\/\/.*@/, '//tenant@') })
  await createIndexTables(pool)
  expect((await pool.query(`select from ${indexSchema}.source`)).rowCount).toBe(0)
  await Promise.all([admin.end(), pool.end()])
})

test('error: an index with the name of a table is not taken for created', async () => {
  const pool = openPool({ url: await postgres.createDatabase() })
  const create = createMissingIndex('other', 'public.one', '(id)')
  await pool.query('create table one (id integer); create table other (id integer)')
  await expect(pool.query(create)).rejects.toThrow('relation "other" already exists')
  await pool.query(`drop table other; ${create} ${create}`)
  expect((await pool.query("select indexname from pg_indexes where tablename = 'one'")).rows).toEqual([
    { indexname: 'other' },
  ])
  await pool.end()
})

test('behavior: an index that an update adds may take longer than other statements', async () => {
  const url = await postgres.createDatabase()
  const [admin, pool] = [openPool({ url }), openPool({ url, timeout: 1_000 })]
  await createIndexTables(admin)
  await admin.query(`drop index ${indexSchema}.reading_open`)
  const created = await runTransaction(admin, async (client) => {
    await client.query(`lock table ${indexSchema}.reading in row exclusive mode`)
    const result = createIndexTables(pool).then(
      () => 'created',
      (error: unknown) => error,
    )
    for (let waited = 0; waited < 3; waited++) await client.query('select pg_sleep(0.7)')
    return { result }
  })
  expect(await created.result).toBe('created')
  await Promise.all([admin.end(), pool.end()])
})
