/**
 * `pnpm bench:live [--binds 50] [--json]`: measures on demo data the time from the receipt of a bind to the API's
 * answer with the new member, and to its event on 1, 100 and 10,000 open streams. Also measures the server's memory
 * and lookups meanwhile.
 */

import { fork } from 'node:child_process'
import { on } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Address, createReferralClient } from '@lineage/referral-api'
import { numberToHex } from 'viem'
import { encodeRecord } from '../demo-chain/contract.ts'
import { demoAccounts, ownerAddress } from '../demo-chain/demoAccounts.ts'
import { createRpc } from '../demo-chain/rpc.ts'
import { readOptions } from '../lib/readOptions.ts'
import { percentile, printTable } from './figures.ts'
import { readMemory } from './readUse.ts'
import { startProduct } from './startProduct.ts'
import type { Streams, StreamsMessage } from './streams.ts'

/** Milliseconds between two requests, the shortest that the rate limit allows. */
const step = 17
/** Longest pause between binds, in milliseconds, so that they arrive at any point of the reader's polling interval. */
const mostPause = 700
/** Numbers of open streams; binds are measured with each. */
const levels = [1, 100, 10_000]
const bindsOfLevel = 20
/** Largest number of different teams that are followed: they are an argument of the process. */
const mostTeams = 2_000
/** Limits in milliseconds and MB. */
const targets = { answer: 1_000, grownMb: 300 }

const { binds, json } = readOptions({ binds: 50, json: false })
// Each stream sends its own address, because one visitor may have twelve streams.
process.env.LINEAGE_TRUST_PROXY = '1'
const product = await startProduct()
const url = product.url.replace('localhost', '127.0.0.1')
const rpc = createRpc(product.nodeUrl)
const api = createReferralClient({ baseUrl: `${url}/v1` })
const { items } = await api.communities()
const [community] = items
const [leader] = demoAccounts
if (!community || !leader) throw new Error('The demo has no community.')
const place = { id: community.id, contract: community.contract, referrer: leader.address }

const before = loadavg()[0]
let bound = 0
try {
  const answers = await measureAnswers()
  const rows: Row[] = []
  for (const count of levels) rows.push(await measureStreams(count))
  print(answers, rows, [before, loadavg()[0]])
} finally {
  await product.stop()
}

/** Binds a new member. Returns it with the time of the receipt. */
async function bind(): Promise<{ member: Address; mined: number }> {
  await delay(Math.random() * mostPause)
  const member = numberToHex(BigInt(bound++) + 0xbe_0000_0000n, { size: 20 })
  const data = encodeRecord([{ kind: 'bound', member, referrer: place.referrer }])
  const transaction = { from: ownerAddress, to: place.contract, data, gas: numberToHex(500_000) }
  const hash = await rpc('eth_sendTransaction', [transaction])
  while (!(await rpc('eth_getTransactionReceipt', [hash]))) await delay(1)
  return { member, mined: performance.timeOrigin + performance.now() }
}

/** Returns the milliseconds from each receipt to the answer with the member. */
async function measureAnswers(): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < binds; index++) {
    const { member, mined } = await bind()
    while ((await fetch(`${url}/v1/communities/${place.id}/members/${member}`)).status !== 200) await delay(step)
    times.push(performance.timeOrigin + performance.now() - mined)
  }
  return times
}

type Row = Awaited<ReturnType<typeof measureStreams>>

/** Opens streams in a separate process, binds members, and looks up others meanwhile. */
async function measureStreams(count: number) {
  const idle = readMemory(product.pid).server
  const teams = await findTeams(Math.min(mostTeams, Math.ceil(count / 2)))
  const parameters: Streams = { url, community: place.id, count, teams }
  const startedAt = performance.now()
  const child = fork(join(import.meta.dirname, 'streams.ts'), [JSON.stringify(parameters)])
  const messages = on(child, 'message') as AsyncIterableIterator<[StreamsMessage]>
  const next = async () => (await messages.next()).value[0] as StreamsMessage
  await next()
  const openMs = performance.now() - startedAt
  const ending = new AbortController()
  const lookups = measureLookups(teams, ending.signal)
  const times: number[] = []
  let [most, missing, lost] = [0, 0, 0]
  for (let index = 0; index < bindsOfLevel; index++) {
    // The stream may be faster than the receipt, so start to listen first.
    const heard = next()
    child.send(numberToHex(BigInt(bound) + 0xbe_0000_0000n, { size: 20 }))
    const { mined } = await bind()
    const message = await heard
    if (message.type !== 'heard') continue
    times.push(...message.times.map((time) => time - mined))
    missing += Math.ceil(count / 2) - message.times.length
    lost = message.lost
    most = Math.max(most, readMemory(product.pid).server)
  }
  ending.abort()
  const { answered, refused } = await lookups
  child.kill()
  return {
    streams: count,
    openMs,
    grownMb: most - idle,
    eventP50: percentile(times, 0.5),
    eventP95: percentile(times, 0.95),
    eventMax: percentile(times, 1),
    lookupP95: percentile(answered, 0.95),
    refused,
    missing,
    lost,
  }
}

/** Looks up a member ten times a second until `signal` aborts. Returns the durations. */
async function measureLookups(addresses: readonly string[], signal: AbortSignal) {
  const answered: number[] = []
  let refused = 0
  for (let index = 0; !signal.aborted; index++) {
    const pause = delay(100)
    const startedAt = performance.now()
    const response = await fetch(`${url}/v1/communities/${place.id}/members/${addresses[index % addresses.length]}`)
    await response.arrayBuffer()
    if (response.ok) answered.push(performance.now() - startedAt)
    else refused++
    await pause
  }
  return { answered, refused }
}

/** Returns members whose teams are followed, the largest first. */
async function findTeams(count: number): Promise<string[]> {
  const { leaders } = await api.metrics(place.id)
  const found: string[] = leaders.team.map(({ address }) => address)
  const [root] = leaders.team
  if (!root) throw new Error('The demo has no leader.')
  for (let cursor: string | null | undefined; cursor !== null && found.length < count; ) {
    const given = { level: 'all', limit: 200 } as const
    const page = await api.referrals(place.id, root.address, { ...given, ...(cursor && { cursor }) })
    found.push(...page.items.map(({ address }) => address))
    cursor = page.nextCursor
  }
  return found.slice(0, count)
}

function print(answers: number[], rows: readonly Row[], load: (number | undefined)[]): void {
  const figures = { p50: percentile(answers, 0.5), p95: percentile(answers, 0.95), max: percentile(answers, 1) }
  if (json) {
    console.log(JSON.stringify({ binds, ...figures, streams: rows, targets, load }))
    return
  }
  printTable({ [`ms from the receipts of ${binds} binds to the answers`]: figures })
  printTable(rows)
  console.log(
    `\nHalf of the streams follow a team each. Events are those of ${bindsOfLevel} binds, from the receipt; MB is growth.`,
  )
  console.log(`At most ${targets.answer} ms and ${targets.grownMb} MB.`)
  console.log(`The machine's load: ${load[0]?.toFixed(1)} before, ${load[1]?.toFixed(1)} after.`)
}
