import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openPool, runTransaction } from '@lineage/database'
import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, testCommunity } from './community.ts'
import type { Reader } from './reader.ts'
import { type Index, startWorld, type World } from './world.ts'

const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

let world: World
beforeAll(async () => {
  world = await startWorld([testCommunity()])
  await world.chain.bind([addressOf(0), zeroAddress])
})
afterAll(() => world?.stop())

const nameOf = ({ url }: Index) => new URL(url).pathname.slice(1)
const isAtHead = async (index: Index) => (await index.liveBlock()) === (await world.headNumber())

async function readiness(reader: Reader) {
  const response = await reader.request('/ready').catch(() => undefined)
  return response && [response.status, await response.json()]
}

/** Binds more members in one block than the free room of a page holds. */
const bindMany = (first: number) =>
  world.chain.bind(
    ...Array.from({ length: 200 }, (_, index): [Address, Address] => [addressOf(first + index), addressOf(0)]),
  )

test.runIf(canMount)('error: the disk of the database is full: says so, waits, and goes on with room', async () => {
  const index = await world.createIndex()
  const disk = join(world.folder, 'disk')
  const [settings] = await index.query<{ data_directory: string }>('show data_directory')
  mkdirSync(disk)
  const owner = statSync(settings?.data_directory ?? '').uid
  execFileSync('chmod', ['a+x', world.folder])
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=2m,mode=700,uid=${owner}`, 'tmpfs', disk])
  try {
    await index.query(`create tablespace small location '${disk}'`)
    await index.query(`alter database ${nameOf(index)} set default_tablespace = small`)
    const reader = await index.start()
    await expect.poll(() => isAtHead(index)).toBe(true)
    const filler = join(disk, 'filler')
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k'])
    await bindMany(1_000)
    await expect.poll(() => readiness(reader)).toEqual([503, { role: 'writer', database: 'full' }])
    expect(await (await reader.request('/metrics')).text()).toContain('lineage_reader_database_fault{kind="full"} 1')
    expect(await isAtHead(index)).toBe(false)
    const said = 'The tables cannot be written: the disk of the database is full (53100). Trying again.'
    expect(reader.output().split(said)).toHaveLength(2)
    rmSync(filler)
    await expect.poll(() => isAtHead(index)).toBe(true)
    await expect.poll(() => readiness(reader)).toEqual([200, { role: 'writer', database: 'answering' }])
    expect(await index.events()).toHaveLength(201)
    expect(reader.output()).toContain('The tables are written again.')
  } finally {
    await world.endReaders()
    execFileSync('umount', ['-l', disk])
  }
})

test('error: another session has locked a table: says so, waits, and goes on when it ends', async () => {
  const index = await world.createIndex()
  const reader = await index.start()
  await expect.poll(() => isAtHead(index)).toBe(true)
  const said = 'The tables cannot be written: another session of the database holds a lock that is needed: see pg_locks'
  const holder = openPool({ url: index.url })
  await runTransaction(holder, async (client) => {
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('lock table lineage_1.source in access exclusive mode')
    await expect.poll(() => reader.output()).toContain(said)
    expect(await readiness(reader)).toEqual([503, { role: 'writer', database: 'failing' }])
  })
  await holder.end()
  await expect.poll(() => reader.output()).toContain('The tables are written again.')
  await bindMany(3_000)
  await expect.poll(() => isAtHead(index)).toBe(true)
  expect(reader.hasEnded()).toBe(false)
})

test('error: the database is read-only: says so, waits, and goes on when it is not', async () => {
  const index = await world.createIndex()
  const reader = await index.start({ env: { LINEAGE_LOG: 'json' } })
  await expect.poll(() => isAtHead(index)).toBe(true)
  const before = await index.events()
  const setReadOnly = async (value: 'on' | 'off') => {
    await index.query(`alter system set default_transaction_read_only = ${value}`)
    await index.query('select pg_reload_conf()')
  }
  await setReadOnly('on')
  try {
    await bindMany(2_000)
    await expect.poll(() => readiness(reader)).toEqual([503, { role: 'writer', database: 'read_only' }])
    const said = 'The tables cannot be written: the database is read-only (25006). Trying again.'
    expect(reader.output().split(`"level":"error","message":"${said}"`)).toHaveLength(2)
  } finally {
    await setReadOnly('off')
  }
  await expect.poll(() => isAtHead(index)).toBe(true)
  await expect.poll(() => readiness(reader)).toEqual([200, { role: 'writer', database: 'answering' }])
  expect(await index.events()).toHaveLength(before.length + 200)
  expect(reader.hasEnded()).toBe(false)
})
