/**
 * `pnpm bench:alerts [--minutes 1]`: derives the alerts of 50 accounts from a made-up chain and delivers them to a webhook of each: first
 * a backlog, then while the chain is reorganised by up to 30 blocks twice a second. Prints how many a second were derived and delivered,
 * the memory, and whether each delivery came once. Then it measures the alerts of others beside accounts whose webhooks are slow.
 */

import { createHmac } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { numberToHex } from 'viem'
import type { WatchedEvent, WatchedEvents } from '../../apps/server/src/lookups/findWatchedEvents.ts'
import { startTestPostgres, type TestPostgres } from '../../packages/database/src/testing.ts'
import { readOptions } from '../lib/readOptions.ts'
import { printTable } from './figures.ts'
import { addressOf, bindTo, faults, measureSlow, openAlerts, receive, rules } from './measureSlow.ts'

const { minutes } = readOptions({ minutes: 1 })
const { DATABASE_URL } = process.env
const depth = 30
/** Longest time to the alerts of others beside slow accounts, in milliseconds. */
const mostDelay = 3_000
/** Milliseconds between two reorganisations. */
const interval = 500
/** Number of reorganisations before the first delivery. */
const backlog = 60
const accountsCount = 50
const watchers = Array.from({ length: accountsCount }, (_, index) => addressOf(1_000 + index))

const postgres = DATABASE_URL ? undefined : await startTestPostgres()
const community = `bench-${Date.now()}`
const receiver = await startReceiver()
const chain = createChain()

let derived = 0
let state: 'deriving' | 'delivering' = 'deriving'
const databaseUrl = DATABASE_URL ?? postgres?.url ?? ''
const { accounts, deliveryStore, jobs, derive } = openAlerts(databaseUrl, chain.read, {
  sendJobs: async (webhooks, query) => {
    if (state === 'delivering') await jobs.requestDeliveries(webhooks, query)
  },
  onStored(alerts) {
    derived += alerts
    jobs.look()
  },
})

for (const [index, account] of watchers.entries()) {
  const watch = { community, address: addressOf(index), rules, updatedAt: 0 }
  await accounts.alerts.saveWatch(account, watch, { block: 0, finalizedBlock: 0 })
  const { secret } = await accounts.alerts.addWebhook(account, `http://127.0.0.1:${receiver.port}/${index}`)
  receiver.secrets.set(String(index), secret)
}

const loadBefore = loadavg()[0]
const memory = [readRss()]
let busy = 0

for (let round = 0; round < backlog; round++) await reorganise()
await jobs.start()
const deliveringFrom = performance.now()
state = 'delivering'
await jobs.requestDeliveries(await deliveryStore.listDue())
jobs.look()
await untilDelivered()
const pace = receiver.count() / ((performance.now() - deliveringFrom) / 1_000)

const endsAt = performance.now() + minutes * 60_000
let rounds = 0
for (; performance.now() < endsAt; rounds++) {
  const next = performance.now() + interval
  await reorganise()
  if (rounds % 60 === 0) memory.push(readRss())
  await delay(Math.max(0, next - performance.now()))
}
await untilDelivered()
const wrong = receiver.faults()
memory.push(readRss())
await jobs.close()
await receiver.close()
await accounts.close()
const slowRows = postgres ? await measureSlowAccounts(postgres) : []
await postgres?.stop()

printTable({
  reorganisations: backlog + rounds,
  'alerts and retractions derived': derived,
  '… a second of derivation': (derived / busy) * 1_000,
  deliveries: receiver.count(),
  '… a second, of the backlog': pace,
  'repeated, or with a wrong signature': wrong,
  'not delivered': derived - receiver.count(),
  'memory at the start, MB': memory[0],
  'memory at most, MB': Math.max(...memory),
  'memory at the end, MB': memory.at(-1),
})
if (slowRows.length > 0) {
  console.log('\nAlerts of 200 other accounts, in ms from the event, while targets …')
  printTable(slowRows)
  console.log(`At most ${mostDelay} ms for 95 of 100.`)
}
console.log(`\nThe machine's load: ${loadBefore?.toFixed(1)} before, ${loadavg()[0]?.toFixed(1)} after.`)
if (wrong > 0 || receiver.count() < derived || slowRows.some(({ p95 }) => p95 > mostDelay)) process.exitCode = 1

/** Measures each fault with 24 accounts of five slow webhooks, and late answers with more of them. */
async function measureSlowAccounts({ createDatabase: create }: Pick<TestPostgres, 'createDatabase'>) {
  const runs = [
    ...Object.keys(faults).map((fault) => [fault, 24] as const),
    ['answer late', 48],
    ['answer late', 240],
  ] as const
  const rows: { fault: string; slowAccounts: number; p50: number; p95: number; max: number }[] = []
  for (const [fault, slowAccounts] of runs) {
    const { p50, p95, max } = await measureSlow({ databaseUrl: await create(), fault, slowAccounts, events: 20 })
    rows.push({ fault, slowAccounts, p50, p95, max })
  }
  return rows
}

async function reorganise(): Promise<void> {
  chain.reorganise(1 + Math.floor(Math.random() * depth))
  const before = performance.now()
  while ((await derive(community)) === 'behind');
  busy += performance.now() - before
}

/** Waits until all alerts are delivered, at most a minute. */
async function untilDelivered(): Promise<void> {
  const end = performance.now() + 60_000
  while (receiver.count() < derived && performance.now() < end) await delay(20)
}

function readRss(): number {
  return process.memoryUsage.rss() / 1024 ** 2
}

/** Creates a chain with one event per block, which a reorganisation replaces. All but the last 40 are final. */
function createChain() {
  const blocks: WatchedEvent[] = []
  let made = 0
  function mine(): void {
    const block = (blocks.at(-1)?.block ?? 0) + 1
    const to = addressOf(made % accountsCount)
    const place = { block, logIndex: 0, hash: numberToHex(++made, { size: 32 }), timestamp: 1_800_000_000 + block }
    blocks.push(bindTo(to, { ...place, member: addressOf(5_000 + made) }))
  }
  return {
    reorganise(count: number): void {
      blocks.splice(Math.max(0, blocks.length - count))
      for (let block = 0; block <= count; block++) mine()
      // Final blocks are not requested again.
      blocks.splice(0, blocks.length - 2 * (depth + 10))
    },
    read(after: number): WatchedEvents {
      const block = blocks.at(-1)?.block ?? 0
      const asOf = { block, timestamp: 1_800_000_000 + block, finalizedBlock: Math.max(0, block - depth - 10) }
      return {
        asOf,
        upTo: block,
        items: blocks.filter((event) => event.block > after),
        heals: { index: 'bench', number: 0 },
      }
    },
  }
}

/** Starts a receiver that checks signatures, and that each id arrives only once. */
async function startReceiver() {
  const secrets = new Map<string, string>()
  const got = new Set<string>()
  let faults = 0
  const receiver = await receive((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const [id, time] = [request.headers['webhook-id'], request.headers['webhook-timestamp']]
      const secret = Buffer.from((secrets.get(request.url?.slice(1) ?? '') ?? '').replace('whsec_', ''), 'base64')
      const signature = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64')
      if (got.has(String(id)) || request.headers['webhook-signature'] !== `v1,${signature}`) faults++
      got.add(String(id))
      response.writeHead(204).end()
    })
  })
  return { ...receiver, secrets, count: () => got.size, faults: () => faults }
}
