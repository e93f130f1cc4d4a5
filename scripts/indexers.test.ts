import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Status } from '@lineage/referral-api'
import { type Address, getAddress, numberToHex, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Chain, contract, startChain } from '../apps/indexer/test/chain.ts'
import { type Database, startDatabases } from '../apps/indexer/test/databases.ts'
import { type Indexer, startIndexer } from '../apps/indexer/test/indexer.ts'
import { root } from './docs/markdown.ts'
import { createCleanUp } from './lib/testing.ts'
import { freePort } from './vitest/freePort.ts'

const addressOf = (index: number): Address => numberToHex(index + 0xabc000, { size: 20 })
const visitors = 4

const made = createCleanUp()
const running = createCleanUp()
let chain: Chain
let databases: Awaited<ReturnType<typeof startDatabases>>
let database: Database
let config: string
/** The same configuration with another community. */
let changedConfig: string

beforeAll(async () => {
  config = join(made.folder(), 'lineage.json')
  const community = {
    id: 'demo',
    name: 'Demo',
    chainId: 56,
    address: contract,
    startBlock: 1,
    event: 'event Bound(address indexed member, address indexed referrer)',
    member: 'member',
    referrer: 'referrer',
  }
  writeFileSync(config, JSON.stringify({ communities: [community] }))
  changedConfig = join(made.folder(), 'changed.json')
  writeFileSync(changedConfig, JSON.stringify({ communities: [community, { ...community, id: 'second' }] }))
  databases = await startDatabases('PostgreSQL')
  chain = await startChain()
  for (let index = 0; index < 60; index++)
    await chain.bind([addressOf(index), index ? addressOf(index - 1) : zeroAddress])
})

beforeEach(async () => {
  database = await databases.create()
})

afterEach(running.cleanUp)

afterAll(async () => {
  await made.cleanUp()
  await chain?.stop()
  await databases?.stop()
})

const toUrl = (port: number) => `http://127.0.0.1:${port}`

/** Runs an indexer like a service manager, which restarts it whenever it ends. */
async function keepRunning(role: 'start' | 'serve', { file = config, port }: { file?: string; port: number }) {
  let state: 'kept' | 'ended' = 'kept'
  let indexer: Indexer
  const run = async () => {
    indexer = await startIndexer({ config: file, url: chain.url, database, role, port })
    void indexer.exitCode().then(async () => {
      await delay(500)
      if (state === 'kept') await run()
    })
  }
  await run()
  const end = () => {
    state = 'ended'
    return indexer.kill('SIGKILL')
  }
  running.later(end)
  return { url: toUrl(port), untilReady: () => indexer.untilReady(), kill: () => indexer.kill('SIGKILL'), end }
}

/** Starts the server in front of indexers. */
async function startServer(indexers: readonly string[]) {
  const PORT = String(await freePort())
  const child = spawn(process.execPath, ['--conditions=@lineage/source', join(root, 'apps/server/src/main.ts')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT,
      LINEAGE_INDEXERS: indexers.join(),
      LINEAGE_RPC_URLS: chain.url,
      LINEAGE_SESSION_SECRET: 'a secret for tests, of thirty-two bytes',
      LINEAGE_TRUST_PROXY: '1',
      LINEAGE_LIMIT_LOOKUPS: '10000',
      LINEAGE_WEB_DIR: 'none',
    },
  })
  running.later(async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  return `http://127.0.0.1:${PORT}`
}

const ask = async (url: string, path: string, visitor = '203.0.113.99') => {
  const response = await fetch(`${url}/v1${path}`, { headers: { 'x-forwarded-for': visitor } })
  return { status: response.status, body: await response.json() }
}
const statesOf = async (url: string) =>
  ((await ask(url, '/status').catch(() => undefined))?.body as Status | undefined)?.indexers?.map(({ state }) => state)

/** Lets visitors send lookups one after the other. Returns the number of answers and the errors found. */
function askWithoutPause(url: string) {
  const paths = ['', '/metrics', `/members/${addressOf(3)}`, `/members/${addressOf(0)}/referrals?level=all&limit=5`]
  const wrong: string[] = []
  let state: 'asking' | 'ended' = 'asking'
  let answered = 0
  const visit = async (visitor: string) => {
    let newest = 0
    let most = 0
    for (let turn = 0; state === 'asking'; turn++) {
      const rest = paths[turn % paths.length]
      const path = rest ? `/communities/demo${rest}` : '/communities'
      const { status, body } = await ask(url, path, visitor).catch((error: Error) => ({
        status: 0,
        body: String(error),
      }))
      const block: number = body.asOf?.block ?? 0
      if (status !== 200) wrong.push(`${path}: ${status} ${JSON.stringify(body)}`)
      // Metrics are computed only from time to time, even by a single indexer.
      else if (rest !== '/metrics' && block < newest) wrong.push(`${path}: block ${block} after ${newest}`)
      // Communities that another configuration added do not disappear again.
      if (body.items?.[0]?.contract && body.items.length < most) wrong.push(`${path}: fewer communities`)
      if (body.items?.[0]?.contract) most = body.items.length
      if (rest !== '/metrics') newest = Math.max(newest, block)
      answered++
      await delay(50)
    }
  }
  const all = Array.from({ length: visitors }, (_, index) => visit(`203.0.113.${index}`))
  return {
    wrong,
    answered: () => answered,
    async end() {
      state = 'ended'
      await Promise.all(all)
    },
  }
}

/**
 * Follows the community like a page: collects the members of its binds without the retracted ones, and other events.
 */
function follow(url: string) {
  let binds: string[] = []
  const others: string[] = []
  let text = ''
  const request = get(`${url}/v1/communities/demo/live`, (response) => {
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = `${text}${chunk}`.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [, event = '', data = ''] = /event: (\w+)\nid: .*\ndata: (.*)/.exec(part) ?? []
        if (event === 'bind') binds.push(JSON.parse(data).address)
        // While the indexer restarts, blocks that were not final may be retracted and sent again.
        else if (event === 'retracted') binds = binds.filter((one) => !data.includes(one))
        else if (!['', 'counts', 'beat'].includes(event)) others.push(event)
      }
    })
    response.on('close', () => others.push('close'))
  })
  request.on('error', (error) => others.push(error.message))
  return { binds: () => binds, others, end: () => request.destroy() }
}

/** Binds a new member every 300 ms. */
function growChain() {
  const members: string[] = []
  let state: 'growing' | 'ended' = 'growing'
  const growing = (async () => {
    for (let index = 1_000; state === 'growing'; index++) {
      await chain.bind([addressOf(index), addressOf(index % 60)])
      members.push(getAddress(addressOf(index)))
      await delay(300)
    }
  })()
  return {
    members,
    async end() {
      state = 'ended'
      await growing
    },
  }
}

test('behavior: no lookup fails, no visitor is sent back and no bind is missed while a replica, the indexer and PostgreSQL end', async () => {
  const writer = await keepRunning('start', { port: await freePort() })
  await writer.untilReady()
  const replicas = [
    await keepRunning('serve', { port: await freePort() }),
    await keepRunning('serve', { port: await freePort() }),
  ]
  for (const replica of replicas) await replica.untilReady()
  const url = await startServer([writer, ...replicas].map((one) => one.url))
  const untilAllReady = () =>
    expect.poll(() => statesOf(url), { timeout: 150_000, interval: 250 }).toEqual(['ready', 'ready', 'ready'])
  await untilAllReady()

  const chainGrowth = growChain()
  const stream = follow(url)
  await expect.poll(() => stream.binds().length).toBeGreaterThan(0)
  const [start] = stream.binds()
  const flow = askWithoutPause(url)
  const steps: Record<string, () => Promise<unknown>> = {
    'a replica is killed': () => replicas[0]?.kill() ?? Promise.reject(),
    'the indexer is killed': writer.kill,
    'the other replica is killed': () => replicas[1]?.kill() ?? Promise.reject(),
    'PostgreSQL is restarted': () => databases.restart(() => delay(2_000)),
  }
  for (const [step, act] of Object.entries(steps)) {
    const [asked, seen] = [flow.answered(), stream.binds().length]
    await act()
    await expect.poll(() => statesOf(url), { message: step }).not.toEqual(['ready', 'ready', 'ready'])
    await untilAllReady()
    expect(flow.wrong, step).toEqual([])
    expect(flow.answered()).toBeGreaterThan(asked + 50)
    await expect.poll(() => stream.binds().length, { message: step }).toBeGreaterThan(seen)
  }
  await chainGrowth.end()
  const expected = chainGrowth.members.slice(chainGrowth.members.indexOf(start ?? ''))
  await expect.poll(() => stream.binds().at(-1)).toBe(expected.at(-1))
  expect({ binds: stream.binds(), others: stream.others }).toEqual({ binds: expected, others: [] })
  stream.end()
  await flow.end()
  expect(flow.wrong).toEqual([])
}, 600_000)

test('behavior: a changed configuration takes over once it is ready, and its schema alone is left', async () => {
  const [newPort, oldPort] = [await freePort(), await freePort()]
  const old = await keepRunning('start', { port: oldPort })
  await old.untilReady()
  const url = await startServer([newPort, oldPort].map(toUrl))
  await expect.poll(() => statesOf(url)).toEqual(['silent', 'ready'])
  const flow = askWithoutPause(url)
  const readCommunities = async () =>
    ((await ask(url, '/communities')).body.items as { id: string }[]).map(({ id }) => id)
  expect(await readCommunities()).toEqual(['demo'])

  const changed = await keepRunning('start', { file: changedConfig, port: newPort })
  await expect.poll(readCommunities, { timeout: 150_000 }).toEqual(['demo', 'second'])
  expect(await statesOf(url)).toEqual(['ready', 'ready'])
  const schemas = async (...args: string[]) => {
    const indexer = await startIndexer({ config: changedConfig, url: chain.url, database, role: 'schemas', args })
    return { code: await indexer.exitCode(), said: indexer.output() }
  }
  const { said } = await schemas()
  const [current = '', other = ''] = ['of this', 'of another'].map(
    (words) => new RegExp(`(lineage_\\w+)\\n {2}${words} configuration\\n {2}an indexer fills it`).exec(said)?.[1],
  )
  expect(said).toContain('communities with events: demo, second')
  expect(await schemas('remove', current)).toMatchObject({
    code: 1,
    said: expect.stringContaining('this configuration'),
  })
  expect(await schemas('remove', other)).toMatchObject({
    code: 1,
    said: expect.stringContaining('an indexer fills it'),
  })
  expect(await schemas('remove', other.slice(0, -1))).toMatchObject({
    code: 1,
    said: expect.stringContaining('whole name'),
  })
  const replica = await keepRunning('serve', { port: await freePort() })
  await replica.untilReady()
  await old.end()
  expect(await schemas('remove', other)).toMatchObject({ code: 1, said: expect.stringContaining('a replica reads it') })
  await replica.end()
  await expect.poll(() => schemas('remove', other), { timeout: 30_000 }).toMatchObject({ code: 0 })
  expect(await schemas('remove', other)).toMatchObject({ code: 1, said: expect.stringContaining('There is no schema') })
  expect((await schemas()).said).not.toContain(other)
  await chain.bind([addressOf(5_000), addressOf(0)])
  const find = async () => (await ask(url, `/communities/second/members/${addressOf(5_000)}`)).status
  await expect.poll(find).toBe(200)
  await flow.end()
  expect(flow.wrong).toEqual([])
  await changed.end()
}, 600_000)
