import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Problem, Status } from '@lineage/referral-api'
import { type Address, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openLockSession } from '../openDatabase.ts'
import { type Chain, startChain } from './chain.ts'
import { addressOf, testCommunity } from './community.ts'
import { type Database, startDatabases } from './databases.ts'
import { type Indexer, poll, startIndexer } from './indexer.ts'

let folder: string
let chain: Chain
let databases: Awaited<ReturnType<typeof startDatabases>>
let database: Database
const indexers: Indexer[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineage-locks-'))
  await writeFile(join(folder, 'config.json'), JSON.stringify({ communities: [testCommunity()] }))
  databases = await startDatabases('PostgreSQL')
  chain = await startChain()
  await chain.bind([addressOf(0), zeroAddress])
})

beforeEach(async () => {
  database = await databases.create()
})

afterEach(async () => {
  for (const indexer of indexers.splice(0)) await indexer.kill('SIGKILL')
})

afterAll(async () => {
  await chain?.stop()
  await databases?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function boot(role?: 'reread'): Promise<Indexer> {
  const indexer = await startIndexer({
    config: join(folder, 'config.json'),
    url: chain.url,
    database,
    ...(role && { role }),
  })
  indexers.push(indexer)
  return indexer
}

const isMember = async (indexer: Indexer, address: Address) =>
  (await indexer.request(`/communities/demo/members/${address}`)).status === 200
const untilStandby = (indexer: Indexer) => poll(async () => indexer.output().includes('This one is a standby'), 30_000)

/** Returns whether Ponder's own lock is held. */
async function isLocked(): Promise<boolean | undefined> {
  const [{ schema } = {}] = await database.query<{ schema: string }>(
    `select table_schema as schema from information_schema.tables where table_name = '_ponder_meta'`,
  )
  const [row] = await database.query<{ locked: boolean }>(
    `select (value->>'is_locked')::int = 1 as locked from "${schema}"._ponder_meta`,
  )
  return row?.locked
}

test('behavior: a second writer waits as a standby, and takes over within five seconds of the death of the first', async () => {
  const first = await boot()
  await first.untilReady()
  const second = await boot()
  await untilStandby(second)
  const readStatus = async () => (await (await second.request('/status')).json()) as Status
  await expect
    .poll(() => readStatus().catch(() => undefined))
    .toMatchObject({ state: 'starting', note: expect.stringContaining('This one is a standby') })
  const lookup = (await (await second.request('/communities')).json()) as Problem
  expect(lookup).toMatchObject({ status: 503, code: 'indexing' })

  await first.kill('SIGKILL')
  const killedAt = performance.now()
  await poll(async () => second.output().includes('this one takes over'), 5_000)
  expect(performance.now() - killedAt).toBeLessThan(5_000)
  await second.untilReady()
  expect(second.output()).not.toContain('Schema is locked')
  await chain.bind([addressOf(1), addressOf(0)])
  await poll(() => isMember(second, addressOf(1)))
})

test('behavior: the end of a standby does not release the lock of the writer', async () => {
  const writer = await boot()
  await writer.untilReady()
  const standby = await boot()
  await untilStandby(standby)
  await standby.kill('SIGTERM')
  expect(await isLocked()).toBe(true)
  const another = await boot()
  await untilStandby(another)
  const rereading = await boot('reread')
  expect(await rereading.exitCode()).toBe(75)
  expect(rereading.output()).toContain('Another indexer writes to this database')
  await chain.bind([addressOf(2), addressOf(0)])
  await poll(() => isMember(writer, addressOf(2)))
})

test('behavior: a writer whose lock was taken over while its connection was cut ends at once', async () => {
  const writer = await boot()
  await writer.untilReady()
  const readLocks = () =>
    database.query<{ pid: number; key: string; granted: boolean }>(
      `select pid, ((classid::int8 << 32) | objid::int8)::text as key, granted from pg_locks
       where locktype = 'advisory' and mode = 'ExclusiveLock' order by granted desc`,
    )
  const [lock] = await readLocks()
  const other = await openLockSession(String(database.env.DATABASE_URL), 'other')
  try {
    // PostgreSQL gives the lock to the waiting session before the writer can reconnect.
    const taken = other.query(`select pg_advisory_lock(${lock?.key})`)
    await expect.poll(readLocks).toMatchObject([{ granted: true }, { granted: false }])
    await database.query(`select pg_terminate_backend(${lock?.pid})`)
    await taken
    await writer.exitCode()
    expect(writer.output()).toContain('another indexer has taken over')
  } finally {
    await other.close()
  }
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'behavior: %s releases the lock, and the next start does not wait',
  async (signal) => {
    const before = await boot()
    await before.untilReady()
    await before.kill(signal)
    expect(await isLocked(), before.output()).toBe(false)
    const after = await boot()
    await after.untilReady()
    expect(after.output()).not.toMatch(/Schema is locked|standby/)
  },
)
