import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeWriterLock } from './takeWriterLock.ts'
import { startDatabases } from './test/databases.ts'

let databases: Awaited<ReturnType<typeof startDatabases>>

beforeAll(async () => {
  databases = await startDatabases('PostgreSQL')
})
afterAll(() => databases?.stop())

test('error: a lock that PostgreSQL refuses leaves no connection open', async () => {
  const database = await databases.create()
  await database.query(`create role writer login password 'writer'`)
  await database.query('revoke execute on function pg_try_advisory_lock_shared(bigint) from public')
  const url = Object.assign(new URL(String(database.env.DATABASE_URL)), { username: 'writer', password: 'writer' }).href
  const calls: string[] = []
  const onWaiting = () => calls.push('waiting')
  const onLost = () => calls.push('lost')
  await expect(takeWriterLock({ url, schema: 'refused', onWaiting, onLost })).rejects.toThrow('permission denied')
  const listOpen = () => database.query(`select pid from pg_stat_activity where application_name = 'refused_lock'`)
  await expect.poll(listOpen).toEqual([])
  expect(calls).toEqual([])
})
