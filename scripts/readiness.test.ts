import type { Member, Problem, Status } from '@lineage/referral-api'
import * as schemas from '@lineage/referral-api/schemas'
import { getAddress, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, testCommunity } from '../apps/reader/test/community.ts'
import { type NodeProxy, startProxy } from '../apps/reader/test/proxy.ts'
import { poll, type Reader } from '../apps/reader/test/reader.ts'
import { type Index, startWorld, type World } from '../apps/reader/test/world.ts'
import { type Server, startServer } from './lib/startServer.ts'

const [root, member] = [addressOf(0), addressOf(1)] as const
const nowInSeconds = () => Math.floor(Date.now() / 1_000)

let world: World
let index: Index
let reader: Reader
let node: NodeProxy
/** A server that accepts blocks of any age, and one for which they are too old after 40 seconds. */
let server: Server
let strict: Server
const servers: Server[] = []

beforeAll(async () => {
  world = await startWorld([testCommunity()], { timestamp: nowInSeconds() - 60 })
  await world.chain.bind([root, zeroAddress], [member, root])
  node = await startProxy(world.chain.url)
  index = await world.createIndex()
  reader = await index.start({ url: node.url })
  server = await boot('0')
  strict = await boot('40')
  for (const one of servers)
    await poll(async () => (await one.get<Status>('/status').catch(() => undefined))?.state === 'ready')
})

afterAll(async () => {
  for (const one of servers) await one.kill('SIGKILL')
  await node?.stop()
  await world?.stop()
})

async function boot(maxAge: string): Promise<Server> {
  const booted = await startServer({
    config: world.config,
    database: index.url,
    nodes: node.url,
    env: { LINEAGE_MAX_AGE: maxAge },
  })
  servers.push(booted)
  return booted
}

/** Returns the codes of the reasons why a server is not ready. */
async function readCodes(one = server) {
  const { reasons = [] } = await one.get<Status>('/status')
  for (const { since, age } of reasons) expect(Math.abs(since + age - Date.now() / 1_000)).toBeLessThan(5)
  return reasons.map(({ code }) => code)
}

/** Expects that a server that accepts blocks of any age names these reasons, is ready, and answers about members. */
async function expectReasons(...codes: string[]): Promise<void> {
  await expect.poll(() => readCodes()).toEqual(codes)
  expect(await server.statusOf('/ready')).toBe(200)
  expect(await answerOf(server)).toMatchObject({ referrer: getAddress(root) })
}
const answerOf = (one: Server) => one.get<Member>(`/communities/demo/members/${member}`)

test('behavior: a server whose newest block is too old is not ready until there is a new one', async () => {
  await expect.poll(() => readCodes(strict)).toEqual(['stale'])
  const response = await strict.request('/ready')
  const problem = (await response.json()) as Problem
  expect([response.status, schemas.problem.parse(problem)]).toEqual([503, problem])
  expect(problem).toMatchObject({
    code: 'unavailable',
    reasons: [{ code: 'stale', message: expect.stringMatching(/\d+ seconds old/) }],
  })
  await world.chain.client.setNextBlockTimestamp({ timestamp: BigInt(nowInSeconds()) })
  await world.chain.client.mine({ blocks: 1 })
  await expect.poll(() => readCodes(strict)).toEqual([])
  expect(await strict.statusOf('/ready')).toBe(200)
})

test('behavior: while no node answers, that is a reason', async () => {
  await expectReasons()
  await node.stop()
  await expectReasons('nodes_unavailable')
  await node.listen()
  await expectReasons()
})

test('behavior: a silent reader is a reason and a warning; a server that starts meanwhile answers', async () => {
  await reader.kill('SIGKILL')
  await expectReasons('reader_silent')
  expect((await server.get<Status>('/status')).warnings.map(({ kind }) => kind)).toContain('reader_silent')
  const another = await boot('0')
  await expect.poll(() => answerOf(another).catch(() => undefined)).toMatchObject({ referrer: getAddress(root) })
  reader = await index.start({ url: node.url })
  await expectReasons()
}, 400_000)

test('behavior: without the database answers come from memory, but for events, and nothing shows a password', async () => {
  await world.postgres.restart(async () => {
    await expectReasons('database_unavailable')
    await expect.poll(() => strict.statusOf('/ready')).toBe(503)
    expect(await readCodes(strict)).toEqual(['database_unavailable', 'stale'])
    const events = await server.get<Problem>('/communities/demo/events')
    expect(events).toMatchObject({ status: 503, code: 'unavailable' })
    const shown = JSON.stringify(await server.get<Status>('/status'))
    expect(`${shown}${server.output()}${reader.output()}`).not.toMatch(/postgres(ql)?:\/\/|secret-key/)
  })
  await expectReasons()
  await world.chain.bind([addressOf(2), member])
  await expect.poll(() => server.statusOf(`/communities/demo/members/${addressOf(2)}`)).toBe(200)
}, 400_000)
