import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Member, Status } from '@lineage/referral-api'
import * as schemas from '@lineage/referral-api/schemas'
import { type Address, getAddress, numberToHex, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openPglite } from '../openDatabase.ts'
import { type Chain, startChain } from './chain.ts'
import { addressOf, testCommunity } from './community.ts'
import { type Database, startDatabases } from './databases.ts'
import { type Indexer, startIndexer } from './indexer.ts'
import { type NodeProxy, startProxy } from './proxy.ts'

const root = addressOf(0)
const members = 30

let folder: string
let chain: Chain
let databases: Awaited<ReturnType<typeof startDatabases>>
const proxies: NodeProxy[] = []
const indexers: Indexer[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineage-nodes-'))
  await writeFile(join(folder, 'config.json'), JSON.stringify({ communities: [testCommunity()] }))
  // Faster to create for each test than PGlite.
  databases = await startDatabases('PostgreSQL')
  chain = await startChain()
  await chain.bind([root, zeroAddress])
  for (let index = 1; index <= members; index++) {
    await chain.bind([addressOf(index), root])
    await chain.client.mine({ blocks: 9 })
  }
})

afterEach(async () => {
  for (const indexer of indexers.splice(0)) await indexer.kill('SIGKILL')
  for (const proxy of proxies.splice(0)) await proxy.stop()
})

afterAll(async () => {
  await chain?.stop()
  await databases?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function startNodes(...behaviours: Parameters<typeof startProxy>[1][]) {
  for (const behaviour of behaviours) proxies.push(await startProxy(chain.url, behaviour))
  return proxies as [NodeProxy, ...NodeProxy[]]
}

async function boot(database?: Database): Promise<Indexer> {
  database ??= await databases.create()
  const url = proxies.map((proxy) => proxy.url).join(',')
  const indexer = await startIndexer({ config: join(folder, 'config.json'), url, database })
  indexers.push(indexer)
  return indexer
}

const readMember = async (indexer: Indexer, address: Address) =>
  (await (await indexer.request(`/communities/demo/members/${address}`)).json()) as Member
const readStatus = async (indexer: Indexer) => {
  const response = await indexer.request('/status').catch(() => undefined)
  const status = response && ((await response.json()) as Status)
  // Warnings about the community are tested elsewhere.
  return status && { ...status, warnings: status.warnings.filter(({ kind }) => kind.startsWith('node_')) }
}

test.each([
  ['names its limit', 'Maximum allowed number of requested blocks is 10'],
  ['names no limit', 'computer says no'],
])(
  'behavior: indexes from a rate-limited node that serves logs of 10 blocks per request and %s',
  async (_, message) => {
    let requests = 0
    await startNodes(({ method, params: [filter] }, response) => {
      if (method !== 'eth_chainId' && ++requests % 12 === 0) {
        response.writeHead(429).end()
        return 'taken'
      }
      if (method !== 'eth_getLogs') return undefined
      const { fromBlock, toBlock } = filter as unknown as { fromBlock?: string; toBlock?: string }
      return Number(toBlock) - Number(fromBlock) >= 10 ? { error: { code: -32000, message } } : undefined
    })
    const indexer = await boot()
    await indexer.untilReady()
    expect(await readMember(indexer, root)).toMatchObject({ directs: members, team: members })
  },
)

test('behavior: waits for the whole events while the only node cuts off their topics', async () => {
  const cutTopics: Parameters<typeof startProxy>[1] = ({ method }) =>
    method === 'eth_getLogs'
      ? { change: (logs: { topics: unknown[] }[]) => logs.map((log) => ({ ...log, topics: log.topics.slice(0, 1) })) }
      : undefined
  const [node] = await startNodes(undefined)
  const database = await databases.create()
  const first = await boot(database)
  await first.untilReady()
  await first.kill('SIGTERM')
  node.behave(cutTopics)
  const indexer = await boot(database)
  await chain.bind([addressOf(103), root])
  await expect
    .poll(() => indexer.output(), { timeout: 60_000 })
    .toContain('it returned a Bound event with 1 of 3 topics')
  node.behave(() => undefined)
  await expect
    .poll(async () => (await readMember(indexer, addressOf(103))).referrer, { timeout: 60_000 })
    .toBe(getAddress(root))
})

test('behavior: loses nothing and takes nothing back while nodes stop, start and stand still', async () => {
  const [first, second] = await startNodes(undefined, undefined)
  const indexer = await boot()
  await indexer.untilReady()
  const blocks: number[] = []
  const bindAndAwait = async (index: number) => {
    await chain.bind([addressOf(index), root])
    await expect
      .poll(
        async () => {
          blocks.push((await readStatus(indexer))?.asOf?.block ?? 0)
          return (await readMember(indexer, addressOf(index))).referrer
        },
        { timeout: 60_000 },
      )
      .toBe(getAddress(root))
  }
  await bindAndAwait(101)
  await first.stop()
  await bindAndAwait(102)
  await expect
    .poll(async () => (await readStatus(indexer))?.warnings, { timeout: 60_000 })
    .toMatchObject([{ kind: 'node_silent', node: `node 1 (${first.host})` }])
  await first.listen()
  // Far behind, with an unknown hash: if it were true, the chain would be reorganised beyond its finality.
  const behind = numberToHex(5)
  first.behave(({ method }) => {
    if (method === 'eth_blockNumber') return { result: behind }
    return method === 'eth_getBlockByNumber' ? { instead: [behind, true] } : undefined
  })
  await second?.stop()
  await expect
    .poll(async () => (await readStatus(indexer))?.warnings.map(({ kind }) => kind), { timeout: 60_000 })
    .toContain('node_behind')
  await second?.listen()
  await bindAndAwait(103)
  expect(indexer.output()).not.toContain('unrecoverable')
  expect(blocks).toEqual(blocks.toSorted((left, right) => left - right))
  expect(schemas.status.parse(await readStatus(indexer))).toBeTruthy()
})

test('behavior: waits, and reports why, while all nodes are below the finalized block of the index', async () => {
  const [first, second] = await startNodes(undefined, undefined)
  const database = await databases.create()
  const before = await boot(database)
  await before.untilReady()
  const known = (await readStatus(before))?.asOf?.block ?? 0
  await before.kill('SIGTERM')
  const lagAt = (block: number) => {
    const behind = numberToHex(block)
    for (const proxy of [first, second])
      proxy?.behave(({ method, params: [tag] }) => {
        if (method === 'eth_blockNumber') return { result: behind }
        return method === 'eth_getBlockByNumber' && (tag as unknown) === 'latest'
          ? { instead: [behind, tag] }
          : undefined
      })
  }
  lagAt(known - 1)

  const indexer = await boot(database)
  await expect
    .poll(() => readStatus(indexer), { timeout: 60_000 })
    .toMatchObject({
      state: 'starting',
      warnings: [
        { kind: 'node_behind', node: `node 1 (${first.host})` },
        { kind: 'node_behind', node: `node 2 (${second?.host})` },
      ],
      note: expect.stringContaining(`node 1 (${first.host}) is 1 blocks behind`),
    })
  expect(indexer.output()).toContain('No node can be used yet.')
  // One usable node is enough.
  second?.behave(() => undefined)
  await indexer.untilReady()
  expect(indexer.output()).toContain('A node is usable now.')
  expect(await readStatus(indexer)).toMatchObject({
    asOf: { block: known },
    warnings: [{ kind: 'node_behind', node: `node 1 (${first.host})` }],
  })
  expect((await readMember(indexer, root)).directs).toBeGreaterThanOrEqual(members)
})

test('error: exits for a node of another chain', async () => {
  await startNodes(undefined, ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined))
  const indexer = await boot()
  expect(await indexer.exitCode()).toBe(1)
  expect(indexer.output()).toContain(
    `node 2 (${proxies[1]?.host}) is a node of chain 1, not of BNB Smart Chain (56). It is not used.`,
  )
  expect(indexer.output()).not.toContain('secret-key')
})

test('behavior: waits, and reports why, while no node has logs', async () => {
  const [only] = await startNodes(({ method }) =>
    method === 'eth_getLogs' ? { error: { code: -32005, message: 'limit exceeded' } } : undefined,
  )
  const indexer = await boot()
  await expect
    .poll(() => readStatus(indexer), { timeout: 60_000 })
    .toMatchObject({
      state: 'starting',
      warnings: [{ kind: 'node_without_logs', node: `node 1 (${only.host})` }],
      note: `node 1 (${only.host}) does not serve eth_getLogs for ranges of blocks. Use another node.`,
    })
  expect(schemas.status.parse(await readStatus(indexer))).toBeTruthy()
  const lookup = await indexer.request('/communities')
  expect(schemas.problem.parse(await lookup.json())).toMatchObject({ status: 503, code: 'indexing' })
  expect(indexer.output()).toContain(
    `node 1 (${only.host}) does not serve eth_getLogs for ranges of blocks. Use another node.`,
  )
  only.behave(() => undefined)
  await indexer.untilReady()
  expect((await readStatus(indexer))?.warnings).toEqual([])
  expect(await readMember(indexer, root)).toMatchObject({ status: 'member' })
})

test('behavior: reports a node that does not keep the first block', async () => {
  const [pruned] = await startNodes(({ method, params: [first] }) => {
    const block = method === 'eth_getLogs' ? (first as unknown as { fromBlock?: string }).fromBlock : first
    if (!['eth_getLogs', 'eth_getBlockByNumber'].includes(method) || typeof block !== 'string') return undefined
    return Number(block) < 200 ? { error: { code: -32000, message: 'history has been pruned' } } : undefined
  }, undefined)
  const indexer = await boot()
  await indexer.untilReady()
  expect((await readStatus(indexer))?.warnings).toMatchObject([
    { kind: 'node_without_history', node: `node 1 (${pruned.host})` },
  ])
  expect((await readMember(indexer, root)).directs).toBeGreaterThanOrEqual(members)
})

test('behavior: a URL with user and password works, and nothing of it is shown', async () => {
  const expected = `Basic ${Buffer.from('some-user:p@ss-word').toString('base64')}`
  const [only] = await startNodes((_, response) => {
    if (response.req.headers.authorization === expected) return undefined
    return { error: { code: -32000, message: `Unauthorized: ${response.req.headers.authorization} ${only.url}` } }
  })
  const url = only.url.replace('//', '//some-user:p%40ss-word@')
  const indexer = await startIndexer({ config: join(folder, 'config.json'), url, database: await databases.create() })
  indexers.push(indexer)
  await indexer.untilReady()
  only.behave(() => ({ error: { code: -32000, message: `invalid API key in ${url}` } }))
  await expect
    .poll(async () => (await readStatus(indexer))?.warnings, { timeout: 90_000 })
    .toMatchObject([{ kind: 'node_silent', node: `node 1 (${only.host})` }])
  const shown = `${JSON.stringify(await readStatus(indexer))}${indexer.output()}`
  for (const secret of ['some-user', 'ss-word', 'secret-key', expected]) expect(shown).not.toContain(secret)
})

test('error: invalid URLs of nodes', async () => {
  const database = await databases.create()
  for (const [url, message] of [
    ['', 'LINEAGE_RPC_URLS is not set'],
    ['ftp://x', 'address 1 is not an http or https URL'],
  ] as const) {
    const indexer = await startIndexer({ config: join(folder, 'config.json'), url, database })
    expect(await indexer.exitCode()).toBe(1)
    expect(indexer.output()).toContain(message)
  }
})

test.each(['postgres://user:pass#word@host:54x/index', 'user:pass@host/index', '//user:pass@host/index'])(
  'error: an invalid DATABASE_URL (%s) is refused without showing it',
  async (url) => {
    const database = { env: { DATABASE_URL: url } }
    const indexer = await startIndexer({ config: join(folder, 'config.json'), url: chain.url, database })
    expect(await indexer.exitCode()).toBe(1)
    expect(indexer.output()).toContain('DATABASE_URL is not a URL')
    expect(indexer.output()).not.toContain('pass')
  },
)

test.each(['start', 'reread'] as const)('error: %s refuses a folder with other files, and keeps them', async (role) => {
  const directory = join(folder, `accounts-${role}`)
  await mkdir(directory)
  await writeFile(join(directory, 'labels'), 'precious')
  for (const [place, message] of [
    [directory, `${directory} holds something else than an index`],
    [join(directory, 'labels'), 'holds something else than an index'],
  ] as const) {
    const database = { env: { LINEAGE_INDEX_DIR: place } }
    const indexer = await startIndexer({ config: join(folder, 'config.json'), url: chain.url, database, role })
    expect(await indexer.exitCode()).toBe(1)
    expect(indexer.output()).toContain(message)
  }
  expect(await readdir(directory)).toEqual(['labels'])
})

test('error: reread refuses a database with other tables, and keeps them', async () => {
  const directory = join(folder, 'accounts-database')
  const accounts = await openPglite(directory)
  await accounts.query('create schema lineage_accounts')
  await accounts.query('create table lineage_accounts.labels as select 1 as id')
  await accounts.close()
  const database = { env: { LINEAGE_INDEX_DIR: directory } }
  const indexer = await startIndexer({ config: join(folder, 'config.json'), url: chain.url, database, role: 'reread' })
  expect(await indexer.exitCode()).toBe(1)
  expect(indexer.output()).toContain(`${directory} holds something else than an index`)
  const kept = await openPglite(directory)
  expect((await kept.query('select id from lineage_accounts.labels')).rows).toEqual([{ id: 1 }])
  await kept.close()
})

test('behavior: reread keeps a database that cannot be opened, and reads into a new one', async () => {
  const directory = join(folder, 'unreadable-database')
  const broken = await openPglite(directory)
  await broken.close()
  await rm(join(directory, 'global/pg_control'))
  const database = { env: { LINEAGE_INDEX_DIR: directory } }
  const indexer = await startIndexer({ config: join(folder, 'config.json'), url: chain.url, database, role: 'reread' })
  indexers.push(indexer)
  await indexer.untilReady()
  const [, keptAt = ''] = /It is kept at (\S+):/.exec(indexer.output()) ?? []
  expect(await readdir(keptAt)).toContain('PG_VERSION')
})

test('error: an invalid API_PORT', async () => {
  const database = await databases.create()
  const env = { API_PORT: 'abc' }
  const indexer = await startIndexer({ config: join(folder, 'config.json'), url: chain.url, database, env })
  expect(await indexer.exitCode()).toBe(1)
  expect(indexer.output()).toContain('API_PORT is "abc"')
})
