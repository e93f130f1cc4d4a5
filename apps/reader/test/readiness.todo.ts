import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Problem, Status } from '@lineage/referral-api'
import * as schemas from '@lineage/referral-api/schemas'
import { zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from './chain.ts'
import { addressOf, testCommunity } from './community.ts'
import { startDatabases } from './databases.ts'
import { type Indexer, startIndexer } from './indexer.ts'
import { type NodeProxy, startProxy } from './proxy.ts'

let folder: string
let chain: Chain
let proxy: NodeProxy
let databases: Awaited<ReturnType<typeof startDatabases>>
const indexers: Indexer[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineage-ready-'))
  await writeFile(join(folder, 'config.json'), JSON.stringify({ communities: [testCommunity()] }))
  databases = await startDatabases('PostgreSQL')
  chain = await startChain({ timestamp: Math.floor(Date.now() / 1_000) - 60 })
  await chain.bind([addressOf(0), zeroAddress])
  proxy = await startProxy(chain.url)
})

afterEach(async () => {
  for (const indexer of indexers.splice(0)) await indexer.kill('SIGKILL')
})

afterAll(async () => {
  await proxy?.stop()
  await chain?.stop()
  await databases?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function boot(maxAge: number): Promise<Indexer> {
  const database = await databases.create()
  const indexer = await startIndexer({ config: join(folder, 'config.json'), url: proxy.url, database, maxAge })
  indexers.push(indexer)
  await indexer.untilReady()
  return indexer
}

/** Codes of the reasons in `/status`; those in `/ready` are the same. */
async function readCodes(indexer: Indexer) {
  const { reasons = [] } = (await (await indexer.request('/status')).json()) as Status
  for (const { since, age } of reasons) expect(Math.abs(since + age - Date.now() / 1_000)).toBeLessThan(5)
  return reasons.map(({ code }) => code)
}

test('behavior: an old newest block makes the index unready, and a new one ready again', async () => {
  const indexer = await boot(40)
  expect(await readCodes(indexer)).toEqual(['stale'])
  const response = await indexer.request('/ready')
  const problem = (await response.json()) as Problem
  expect([response.status, schemas.problem.parse(problem)]).toEqual([503, problem])
  expect(problem).toMatchObject({
    code: 'unavailable',
    reasons: [{ code: 'stale', message: expect.stringMatching(/\d+ seconds old/) }],
  })
  await chain.client.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(Date.now() / 1_000)) })
  await chain.client.mine({ blocks: 1 })
  await expect.poll(() => readCodes(indexer), { timeout: 20_000 }).toEqual([])
  expect((await indexer.request('/ready')).status).toBe(200)
})

test('behavior: dead nodes and a database away are reasons with an age; lookups go on from memory', async () => {
  const indexer = await boot(0)
  await expect.poll(() => readCodes(indexer)).toEqual([])
  await proxy.stop()
  await expect.poll(() => readCodes(indexer), { timeout: 60_000 }).toEqual(['nodes_unavailable'])
  await databases.stop()
  await expect
    .poll(() => readCodes(indexer), { timeout: 30_000 })
    .toEqual(['database_unavailable', 'nodes_unavailable'])
  expect((await indexer.request('/ready')).status).toBe(503)
  expect((await indexer.request(`/communities/demo/members/${addressOf(0)}`)).status).toBe(200)
  const events = await indexer.request('/communities/demo/events')
  expect([events.status, ((await events.json()) as Problem).code]).toEqual([503, 'unavailable'])
  const shown = JSON.stringify(await (await indexer.request('/status')).json())
  expect(`${shown}${indexer.output()}`).not.toMatch(/postgres:postgres@|secret-key/)
})
