import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, expect, test } from 'vitest'
import { createPgliteDirectory, createPgliteInMemory, deletePgliteDirectory } from './createPglite.ts'

const folder = mkdtempSync(join(tmpdir(), 'lineage-database-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function countTables(directory: string): Promise<unknown> {
  const database = await PGlite.create(directory)
  const { rows } = await database.query(`select count(*)::int as tables from pg_tables where schemaname = 'public'`)
  await database.exec('create table own (one int)')
  await database.close()
  return rows[0]
}

test('behavior: databases created at once are empty, and separate', async () => {
  const directories = ['a', 'b'].map((name) => join(folder, name))
  await Promise.all(directories.map(createPgliteDirectory))
  for (const directory of directories) expect(await countTables(directory)).toEqual({ tables: 0 })
})

test('behavior: the files of an interrupted creation are replaced', async () => {
  const directory = join(folder, 'c')
  mkdirSync(`${directory}.new`)
  writeFileSync(join(`${directory}.new`, 'PG_VERSION'), '16')
  await createPgliteDirectory(directory)
  expect(existsSync(`${directory}.new`)).toBe(false)
  expect(await countTables(directory)).toEqual({ tables: 0 })
})

test('behavior: a deleted database leaves no files, also of an interrupted deletion', async () => {
  const directory = join(folder, 'd')
  mkdirSync(`${directory}.new`)
  await createPgliteDirectory(directory)
  mkdirSync(join(`${directory}.new`, 'base'), { recursive: true })
  for (let time = 0; time < 2; time++) {
    deletePgliteDirectory(directory)
    expect(readdirSync(folder).filter((name) => name.startsWith('d'))).toEqual([])
  }
})

test('behavior: databases in memory are empty, and separate', async () => {
  for (const _ of ['created', 'loaded', 'loaded']) {
    const database = await createPgliteInMemory()
    await database.exec('create table own (one int); insert into own values (1)')
    expect((await database.query('select * from own')).rows).toEqual([{ one: 1 }])
    await database.close()
  }
})
