import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Session } from 'node:inspector'
import type { Worker } from 'node:worker_threads'
import type { LookupId } from '@lineage/referral-api/routes'
import { getAddress } from 'viem'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase } from '../../test/serve.ts'
import { type FilePart, readText } from '../lookups/fileStream.ts'
import type { Index, IndexChange } from '../lookups/Index.ts'
import { parseLookup } from '../lookups/parseLookup.ts'
import { createIndex } from './createIndex.ts'
import { addressOf, bind, createCommunities, createTestTables, type TestEvent } from './test/tables.ts'

const communities = createCommunities('demo')
/** Threads that were started. */
const workers: Worker[] = []
const note = (message: unknown) => void workers.push((message as { worker: Worker }).worker)
subscribe('worker_threads', note)
afterAll(() => {
  unsubscribe('worker_threads', note)
})

const ends: (() => Promise<void>)[] = []
beforeEach(() => {
  workers.length = 0
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function start(...first: readonly TestEvent[]) {
  const url = await createDatabase()
  const tables = await createTestTables(url, communities)
  await tables.step('demo', { block: 40, events: first })
  const logged: string[] = []
  const index = createIndex({ communities, databaseUrl: url, maxAge: 0, log: (message) => logged.push(message) })
  ends.push(index.close, tables.close)
  await expect.poll(() => index.stateOf('demo')).toMatchObject({ asOf: { block: 40, finalizedBlock: 10 } })
  return { tables, index, logged }
}

const requestOf = (id: LookupId, address?: number, search = '') =>
  parseLookup(id, {
    path: { community: 'demo', ...(address !== undefined && { address: addressOf(address) }) },
    query: new URLSearchParams(search),
  })

async function ask(index: Index, ...[id, address]: Parameters<typeof requestOf>) {
  const { body, ...answer } = await index.lookUp(requestOf(id, address))
  return { ...answer, json: JSON.parse(await readText(body)) }
}

test('behavior: a member is answered from the tables, and the next bind is a change', async () => {
  const { tables, index, logged } = await start(bind(1, 1, 0), bind(35, 2, 1))
  // A slow database returns the transaction later.
  await expect.poll(async () => (await ask(index, 'member', 1)).json.tx).toEqual(expect.any(String))
  const { json, version, caching, headers } = await ask(index, 'member', 1)
  expect(json).toMatchObject({ asOf: { block: 40 }, address: getAddress(addressOf(1)), team: 1 })
  expect([version, caching, headers]).toEqual([
    expect.stringMatching(/^\d+\.0\.0\.40\./),
    'present',
    { 'content-type': 'application/json' },
  ])
  expect([index.status().state, index.communities]).toEqual(['ready', ['demo']])
  const changes: IndexChange[] = []
  const stop = index.subscribe((change) => changes.push(change))
  await tables.step('demo', { block: 41, events: [bind(41, 3, 1)] })
  const change = { asOf: { block: 41 }, members: 3, changed: [getAddress(addressOf(3))], count: 1, fork: null }
  await expect.poll(() => changes).toMatchObject([{ ...change, events: 'some' }])
  await tables.step('demo', { block: 42 })
  await expect.poll(() => changes[1]).toMatchObject({ asOf: { block: 42 }, events: 'none', count: 0 })
  stop()
  await tables.step('demo', { fork: 41, block: 43, reorgs: 1 })
  await expect.poll(() => index.stateOf('demo')).toMatchObject({ asOf: { block: 43 }, members: 2 })
  expect([changes.length, logged]).toEqual([2, ['demo is ready at block 40.']])
})

test('behavior: a change names the watched teams whose card has changed', async () => {
  const { tables, index } = await start(bind(1, 1, 0), bind(2, 2, 1), bind(3, 3, 0))
  const changes: IndexChange[] = []
  index.subscribe((change) => changes.push(change))
  const stops = [1, 2, 3, 4, 4].map((member) => index.watchTeam('demo', getAddress(addressOf(member))))
  await tables.step('demo', { block: 41, events: [bind(41, 4, 2)] })
  await expect.poll(() => changes[0]?.teams.toSorted()).toEqual([1, 2, 4].map(addressOf).toSorted())
  // The last address is watched twice.
  for (const at of [0, 1, 3, 3]) stops[at]?.()
  const volume = { kind: 'volume', block: 42, logIndex: 0, member: addressOf(4), amount: 5n } as const
  await tables.step('demo', { block: 42, events: [volume] })
  await expect.poll(() => changes[1]).toMatchObject({ events: 'some', count: 0, teams: [addressOf(4)] })
})

test('behavior: a CSV comes page by page as it is read', async () => {
  const members = 1_000
  const { index } = await start(...Array.from({ length: members }, (_, at) => bind(1, at + 1, 0, at)))
  const { body, headers } = await index.lookUp(requestOf('referralsCsv', 0))
  expect([body instanceof ReadableStream, headers['content-type']]).toEqual([
    true,
    'text/csv; charset=utf-8; header=present',
  ])
  expect((await readText(body)).trim().split('\r\n')).toHaveLength(members + 1)
  const again = (await index.lookUp(requestOf('referralsCsv', 0))).body as ReadableStream<FilePart>
  const reader = again.getReader()
  expect((await reader.read()).done).toBe(false)
  await reader.cancel()
  expect((await ask(index, 'member', 1)).json.block).toBe(1)
})

test('error: problems arrive with their code and parameters', async () => {
  const { index } = await start(bind(1, 1, 0))
  await expect(index.lookUp(requestOf('member', 9))).rejects.toMatchObject({
    name: 'ProblemError',
    code: 'member_not_found',
  })
  await expect(index.lookUp(requestOf('member', 1, 'asOf=99'))).rejects.toMatchObject({
    code: 'block_not_indexed',
    extra: { parameter: 'asOf' },
  })
  await expect(index.findWatchedEvents('other', { addresses: [], after: 0 })).rejects.toMatchObject({
    code: 'community_not_found',
  })
})

test('behavior: a visitor who leaves ends the lookup', async () => {
  const { index } = await start(bind(1, 1, 0))
  const controller = new AbortController()
  const { signal } = controller
  const asking = index.lookUp(requestOf('member', 1), { signal })
  controller.abort()
  await expect(asking).rejects.toMatchObject({ name: 'LookupStoppedError', work: expect.any(Number) })
  await expect(index.lookUp(requestOf('member', 1), { signal })).rejects.toMatchObject({ work: 0 })
  expect((await ask(index, 'member', 1)).json.block).toBe(1)
})

test('error: a worker that ends is replaced; meanwhile lookups are refused, and downloads break off', async () => {
  const { tables, index, logged } = await start(...Array.from({ length: 900 }, (_, at) => bind(1, at + 1, 0, at)))
  const changes: IndexChange[] = []
  index.subscribe((change) => changes.push(change))
  index.watchTeam('demo', addressOf(1))
  const { body } = await index.lookUp(requestOf('referralsCsv', 0))
  const reader = (body as ReadableStream<FilePart>).getReader()
  await reader.read()
  const client = await tables.pool.connect()
  await client.query('begin; lock table lineage_1.event')
  const waiting = expect(index.lookUp(requestOf('events'))).rejects.toMatchObject({ code: 'indexing' })
  await workers[0]?.terminate()
  await waiting
  await client.query('rollback')
  client.release()
  await expect(reader.read().then(() => reader.read())).rejects.toThrow()
  expect([index.stateOf('demo'), index.status().state]).toEqual([undefined, 'starting'])
  await expect(index.lookUp(requestOf('member', 1))).rejects.toMatchObject({ code: 'indexing' })
  await expect.poll(() => index.stateOf('demo')).toMatchObject({ asOf: { block: 40 } })
  expect((await ask(index, 'member', 1)).json.block).toBe(1)
  await tables.step('demo', { block: 41, events: [bind(41, 1_000, 1)] })
  await expect.poll(() => changes.at(-1)).toMatchObject({ asOf: { block: 41 }, teams: [addressOf(1)] })
  expect(logged).toContain('The thread of the index is started again.')
})

test('error: a worker that hangs while lookups wait is replaced', async () => {
  const { index, logged } = await start(bind(1, 1, 0))
  await expect.poll(() => index.status().state).toBe('ready')
  hang()
  const failed = await index.lookUp(requestOf('member', 1)).catch((error) => error)
  expect(failed).toMatchObject({ code: 'indexing' })
  expect(logged.join()).toContain('does not answer')
  await expect.poll(() => index.stateOf('demo')).toMatchObject({ asOf: { block: 40 } })
  expect((await ask(index, 'member', 1)).json.block).toBe(1)
})

/** Blocks the thread of the index with an endless loop. */
function hang(): void {
  const session = new Session()
  session.connect()
  session.once('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    const message = { id: 1, method: 'Runtime.evaluate', params: { expression: 'for (;;);' } }
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify(message) })
  })
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  ends.push(async () => session.disconnect())
}
