import { zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { addressOf, testCommunity } from './community.ts'
import type { Reader } from './reader.ts'
import { type Index, startWorld, type World } from './world.ts'

let world: World
let index: Index

beforeAll(async () => {
  world = await startWorld([testCommunity()])
  await world.chain.bind([addressOf(0), zeroAddress])
})
beforeEach(async () => {
  index = await world.createIndex()
})
afterEach(() => world.endReaders())
afterAll(() => world?.stop())

const isStandby = (reader: Reader) => reader.output().includes('This one is a standby')
const untilLive = () => expect.poll(() => index.liveBlock()).toBeGreaterThan(0)
const members = async () => (await index.events()).map(({ member }) => member)

/** Lists the connections that hold the lock of the source. */
const readLocks = () =>
  index.query<{ pid: number }>("select pid from pg_locks where locktype = 'advisory' and classid = 4362 and granted")

test('behavior: a second reader waits as a standby, and takes over when the first dies', async () => {
  const first = await index.start()
  await untilLive()
  const writer = (await index.source())?.writer
  const second = await index.start()
  await expect.poll(() => isStandby(second)).toBe(true)
  expect((await second.request('/ready')).status).toBe(200)
  await first.kill('SIGKILL')
  await expect.poll(async () => (await index.source())?.writer).not.toBe(writer)
  await world.chain.bind([addressOf(1), addressOf(0)])
  await expect.poll(members).toContain(addressOf(1))
})

test('behavior: the end of a standby does not release the lock of the writer', async () => {
  const writer = await index.start()
  await untilLive()
  const standby = await index.start()
  await expect.poll(() => isStandby(standby)).toBe(true)
  await standby.kill('SIGTERM')
  const another = await index.start()
  await expect.poll(() => isStandby(another)).toBe(true)
  await world.chain.bind([addressOf(2), addressOf(0)])
  await expect.poll(members).toContain(addressOf(2))
  expect(writer.hasEnded()).toBe(false)
})

test('behavior: a writer whose lock was taken while its connection was cut ends, and writes nothing more', async () => {
  const writer = await index.start()
  await untilLive()
  const standby = await index.start()
  await expect.poll(() => isStandby(standby)).toBe(true)
  const before = (await index.source())?.writer
  // Either reader may get the lock, so cut the connection until the standby has it, but not that of the standby.
  await expect
    .poll(
      async () => {
        const now = (await index.source())?.writer
        if (now === before)
          for (const { pid } of await readLocks()) await index.query('select pg_terminate_backend($1)', [pid])
        return now
      },
      { interval: 700 },
    )
    .not.toBe(before)
  expect(await writer.exitCode()).toBe(75)
  expect(writer.output()).toMatch(/Another reader (has taken over|writes to the index now)/)
  await world.chain.bind([addressOf(3), addressOf(0)])
  await expect.poll(members).toContain(addressOf(3))
  expect((await members()).toSorted()).toEqual([...new Set(await members())].toSorted())
})

test('behavior: a standby takes over from a writer that is paused, which ends when it goes on', async () => {
  const paused = await index.start()
  await untilLive()
  const before = (await index.source())?.writer
  const standby = await index.start()
  await expect.poll(() => isStandby(standby)).toBe(true)
  process.kill(paused.pid as number, 'SIGSTOP')
  await expect.poll(async () => (await index.source())?.writer).not.toBe(before)
  process.kill(paused.pid as number, 'SIGCONT')
  expect(await paused.exitCode()).toBe(75)
  expect(standby.hasEnded()).toBe(false)
})

test('behavior: a writer whose connection was cut goes on when no other reader is there', async () => {
  const reader = await index.start()
  await untilLive()
  for (const { pid } of await readLocks()) await index.query('select pg_terminate_backend($1)', [pid])
  await expect.poll(readLocks).toHaveLength(1)
  await world.chain.bind([addressOf(4), addressOf(0)])
  await expect.poll(members).toContain(addressOf(4))
  expect(reader.hasEnded()).toBe(false)
})

test('behavior: a reader that is no longer the writer stores nothing, and ends', async () => {
  const reader = await index.start()
  await untilLive()
  const before = await members()
  await index.query('update lineage_1.source set writer = gen_random_uuid()')
  await world.chain.bind([addressOf(5), addressOf(0)])
  expect(await reader.exitCode()).toBe(75)
  expect(await members()).toEqual(before)
})

test.each(['SIGTERM', 'SIGINT'] as const)('behavior: %s releases the lock at once', async (signal) => {
  const before = await index.start()
  await untilLive()
  await before.kill(signal)
  expect(await before.exitCode()).toBe(0)
  const after = await index.start()
  await expect.poll(async () => (await after.request('/ready').catch(() => undefined))?.status).toBe(200)
  await expect.poll(readLocks).toHaveLength(1)
  expect(isStandby(after)).toBe(false)
})

test('behavior: waits while the database is away, says so, and goes on', async () => {
  const reader = await index.start()
  await untilLive()
  await world.postgres.restart(async () => {
    await world.chain.bind([addressOf(6), addressOf(0)])
    await expect.poll(async () => (await reader.request('/ready')).status).toBe(503)
    await expect.poll(() => reader.output()).toContain('no database listens at its address')
  })
  await expect.poll(() => members().catch(() => [])).toContain(addressOf(6))
  await expect.poll(async () => (await reader.request('/ready')).status).toBe(200)
  expect(reader.hasEnded()).toBe(false)
})

test('behavior: starts before its database', async () => {
  let reader: Reader | undefined
  await world.postgres.restart(async () => {
    reader = await index.start()
    await expect.poll(() => reader?.output()).toContain('no database listens at its address')
  })
  await expect.poll(() => index.liveBlock().catch(() => 0)).toBeGreaterThan(0)
  expect(reader?.output()).not.toContain('postgres://')
})

test('error: a database that refuses the reader: says in words what to change, and ends', async () => {
  const reader = await index.start({ env: { DATABASE_URL: `${index.url}_missing` } })
  expect(await reader.exitCode()).toBe(1)
  expect(reader.output()).toMatch(
    /DATABASE_URL cannot be used. PostgreSQL says: database "test_\d+_missing" does not exist/,
  )
})

test.each([
  [{ LINEAGE_HSTORY: '/history' }, 'LINEAGE_HSTORY is not a setting, and has no effect. Did you mean LINEAGE_HISTORY?'],
  [{ LINEAGE_ORIGIN: 'https://lineage.example' }, undefined],
])('error: a misspelt variable is named, and that of the server is not: %o', async (env, sentence) => {
  const reader = await index.start({ env: { ...env, LINEAGE_RPC_URLS: '' } })
  expect(await reader.exitCode()).toBe(1)
  const missing = 'LINEAGE_RPC_URLS is not set: list the nodes to read the chain from.'
  expect(reader.output()).toBe(`${sentence ? `${sentence} See .env.example.\n` : ''}${missing}\n`)
})

test('error: an address that this machine does not have: says which setting names it, and ends', async () => {
  const reader = await index.start({ env: { LINEAGE_READER_HOST: '192.0.2.1' } })
  expect(await reader.exitCode()).toBe(1)
  expect(reader.output()).toBe('This machine does not have the address LINEAGE_READER_HOST: 192.0.2.1.\n')
})
