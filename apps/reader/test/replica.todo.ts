import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Status } from '@lineage/referral-api'
import { type Address, numberToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, contract, startChain } from './chain.ts'
import { startDatabases } from './databases.ts'
import { type Indexer, startIndexer } from './indexer.ts'
import { startProxy } from './proxy.ts'

const addressOf = (index: number): Address => numberToHex(index + 0xabc000, { size: 20 })
const maxAge = 30

let folder: string
let chain: Chain
let databases: Awaited<ReturnType<typeof startDatabases>>
const ends: (() => unknown)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineage-replica-'))
  const right = {
    id: 'demo',
    name: 'Demo',
    chainId: 56,
    address: contract,
    startBlock: 1,
    event: 'event Bound(address indexed member, address indexed referrer)',
    member: 'member',
    referrer: 'referrer',
    parentView: 'function referrerOf(address) view returns (address)',
  }
  const swapped = { ...right, id: 'swapped', member: 'referrer', referrer: 'member' }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ communities: [right, swapped] }))
  databases = await startDatabases('PostgreSQL')
  chain = await startChain({ timestamp: Math.floor(Date.now() / 1_000) - 30 })
  await chain.bind([addressOf(0), zeroAddress])
  for (let index = 1; index < 12; index++) await chain.bind([addressOf(index), addressOf(index - 1)])
  await chain.setReferrers(
    contract,
    ...Array.from({ length: 11 }, (_, index): [Address, Address] => [addressOf(index + 1), addressOf(index)]),
  )
})

afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await chain?.stop()
  await databases?.stop()
  await rm(folder, { recursive: true, force: true })
})

const readStatus = async (indexer: Indexer) => (await (await indexer.request('/status')).json()) as Status
const codesOf = async (indexer: Indexer) => (await readStatus(indexer)).reasons?.map(({ code }) => code)

test('behavior: a replica asks no node, and reports nodes and contracts as the indexer does', async () => {
  const database = await databases.create()
  const config = join(folder, 'config.json')
  const writer = await startIndexer({ config, url: chain.url, database, maxAge })
  ends.push(() => writer.kill('SIGKILL'))
  await writer.untilReady()
  const node = await startProxy(chain.url)
  ends.push(node.stop)
  const replica = await startIndexer({ config, url: node.url, database, role: 'serve', maxAge })
  ends.push(() => replica.kill('SIGKILL'))
  await replica.untilReady()

  const told = async ({ spotChecks, warnings, headBlock }: Status) => ({ spotChecks, warnings, headBlock })
  await expect.poll(async () => told(await readStatus(replica))).toEqual(await told(await readStatus(writer)))
  expect((await readStatus(replica)).warnings.map(({ kind }) => kind)).toContain('arguments_swapped')
  expect((await replica.request('/communities/swapped/metrics')).status).toBe(503)
  await chain.client.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(Date.now() / 1_000)) })
  await chain.bind([addressOf(100), addressOf(0)])
  const isMember = async () => (await replica.request(`/communities/demo/members/${addressOf(100)}`)).status
  await expect.poll(isMember).toBe(200)
  const head = Number(await chain.client.getBlockNumber())
  await expect.poll(async () => (await readStatus(replica)).headBlock).toBe(head)
  expect((await replica.request('/ready')).status).toBe(200)

  await writer.kill('SIGKILL')
  await expect
    .poll(async () => (await readStatus(replica)).warnings.map(({ kind }) => kind), { timeout: 30_000 })
    .toContain('indexer_silent')
  await expect.poll(() => codesOf(replica), { timeout: 60_000 }).toContain('stale')
  expect((await replica.request('/ready')).status).toBe(503)
  expect(await isMember()).toBe(200)
  // A replica that starts meanwhile answers, too.
  const another = await startIndexer({ config, url: node.url, database, role: 'serve', maxAge })
  ends.push(() => another.kill('SIGKILL'))
  await another.untilReady()
  expect((await another.request('/communities/demo/metrics')).status).toBe(200)
  expect(node.requests).toEqual([])
})
