import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { createCleanUp } from '../lib/testing.ts'
import { addressOf } from './createMiner.ts'
import { createOracle } from './createOracle.ts'
import { type WatchAnswersParameters, watchAnswers } from './watchAnswers.ts'
import { findTwoWriters, type Write } from './watchWriters.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

const write = (tx: number, writer: string, block: number, others: Partial<Write> = {}): Write => ({
  tx: String(tx),
  of: 'source',
  source: 1,
  writer,
  block,
  changes: 0,
  client: '10.0.0.1',
  ...others,
})
const ofEvent = (tx: number): Write => ({ ...write(tx, '', 0), of: 'event', writer: null })

test.each<[title: string, writes: Write[], faults: RegExp[]]>([
  [
    'one writer after the other',
    [ofEvent(1), write(1, 'a', 1), write(2, 'b', 2, { client: '10.0.0.2' }), write(3, 'b', 3, { client: '10.0.0.2' })],
    [],
  ],
  ['a reorganisation', [write(1, 'a', 5), write(2, 'a', 3, { changes: 1 })], []],
  [
    'two sources with a writer each',
    [write(1, 'a', 5), write(2, 'b', 3, { source: 2, client: '10.0.0.2' }), write(3, 'a', 6)],
    [],
  ],
  [
    'a former writer',
    [write(1, 'a', 1), write(2, 'b', 2, { client: '10.0.0.2' }), write(3, 'a', 3)],
    [/a wrote after another writer/],
  ],
  [
    'events without the row of their source',
    [write(1, 'a', 1), ofEvent(2)],
    [/transaction 2 wrote events of source 1/],
  ],
  ['a block that goes back', [write(1, 'a', 5), write(2, 'a', 3)], [/block 3 after 5/]],
  ['one id from two hosts', [write(1, 'a', 1), write(2, 'a', 2, { client: '10.0.0.2' })], [/a wrote from 10.0.0.2/]],
])('behavior: %s', (_, writes, faults) => {
  expect(findTwoWriters(writes)).toEqual(faults.map((fault) => expect.stringMatching(fault)))
})

const member = { referrer: addressOf(0), joinedAt: 1_002, depth: 1, directs: 0, team: 0 }

/** Returns an answer; `undefined` for none. */
type Answer = (turn: number, path: string) => [status: number, body: object] | undefined
type Watched = { pick: () => Address; lies: WatchAnswersParameters['lies'] }

/** Watches the answers of a server that has one community with one bind in block 2. */
async function watch(answer: Answer, { pick = () => addressOf(1), lies }: Partial<Watched> = {}) {
  let turn = 0
  const server = createServer((request, response) => {
    const answered = answer(turn++, String(request.url))
    if (answered) response.writeHead(answered[0]).end(JSON.stringify(answered[1]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  made.later(() => server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const oracle = createOracle()
  oracle.add({ block: 2, time: 1_002, member: addressOf(1), referrer: addressOf(0) })
  const ending = new AbortController()
  const miner = {
    oracle,
    pickAddress: pick,
    pickNew: pick,
    knownBlock: () => 9,
    fill: async () => undefined,
    run: async () => undefined,
  }
  const { answers, ended } = watchAnswers({ servers: [{ url }], community: 'a', miner, signal: ending.signal, lies })
  made.later(() => ended)
  made.later(() => ending.abort())
  return answers
}
const isTotals = (body: object) => ({ ...body, members: 1 })

test.each<[title: string, answer: (turn: number) => [number, object], fault: RegExp]>([
  ['a wrong answer', () => [200, isTotals({ asOf: { block: 3 }, ...member, team: 7 })], /"team":7/],
  [
    'an answer that goes back',
    (turn) => [200, isTotals({ asOf: { block: turn > 20 ? 3 : 4 }, ...member })],
    /block 3 after 4/,
  ],
  [
    'a member that disappears',
    (turn) => (turn > 20 ? [404, {}] : [200, isTotals({ asOf: { block: 4 }, ...member })]),
    /was not found/,
  ],
  ['wrong totals', () => [200, { asOf: { block: 3 }, ...member, members: 2 }], /2 members, not 1/],
  ['an error of the server', () => [500, {}], /500/],
])('error: %s is found', async (_, answer, fault) => {
  const answers = await watch(answer)
  await expect.poll(() => answers.wrong.join()).toMatch(fault)
})

test('error: a lookup that no server answers is lost', async () => {
  const answers = await watch(() => [503, {}])
  await expect.poll(() => answers.lost).not.toEqual([])
  expect(answers.wrong).toEqual([])
})

test('behavior: answers about many members that are wrong for now are asked for again a few at once', async () => {
  let [index, repeated] = [0, 0]
  const asked = new Set<string>()
  const answerOnce = (_: number, path: string): [number, object] | undefined => {
    const isRepeated = asked.size === asked.add(path).size && path.includes('/members/')
    if (isRepeated) repeated++
    return isRepeated ? undefined : [200, { ...member, asOf: { block: 3 }, members: 7 }]
  }
  const answers = await watch(answerOnce, { pick: () => addressOf(++index + 1), lies: [] })
  await expect.poll(() => answers.healing.size).toBeGreaterThan(90)
  expect(repeated).toBeLessThan(20)
})
