import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Address, getAddress, numberToHex } from 'viem'
import { openAccounts } from '../../apps/server/src/accounts/openAccounts.ts'
import { createDerive, type DeriveParameters } from '../../apps/server/src/alerts/createAlerts.ts'
import { createDeliver } from '../../apps/server/src/alerts/deliver.ts'
import { createDeliveryStore } from '../../apps/server/src/alerts/deliveryStore.ts'
import { createDeriveStore } from '../../apps/server/src/alerts/deriveStore.ts'
import { createJobs } from '../../apps/server/src/alerts/jobs.ts'
import { createWebhookSender, type Resolve, resolveLocal } from '../../apps/server/src/alerts/sendWebhook.ts'
import { createDatabase } from '../../apps/server/src/database/database.ts'
import type { WatchedEvent, WatchedEvents } from '../../apps/server/src/lookups/findWatchedEvents.ts'
import { percentile } from './figures.ts'

/** Milliseconds after which a late target answers. */
const late = 9_500

type Answer = (response: ServerResponse, count: number) => void
const accept = (response: ServerResponse) => void response.writeHead(204).end()
const acceptLate = (response: ServerResponse) => void setTimeout(() => accept(response), late).unref()

/** What the targets of slow accounts do. */
export const faults: Record<string, Answer> = {
  'answer late': acceptLate,
  'answer late every second time': (response, count) => (count % 2 === 0 ? accept(response) : acceptLate(response)),
  'never answer': () => undefined,
  reset: (response) => void response.destroy(),
  redirect: (response) => void response.writeHead(302, { location: '/again' }).end(),
  'send an endless body': (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 50).unref()
    response.on('close', () => clearInterval(timer))
  },
  'have slow names': accept,
}

type Parameters = {
  databaseUrl: string
  fault: keyof typeof faults & string
  /** Number of accounts with five slow targets each. */
  slowAccounts: number
  /** Number of events, one a second, each for a tenth of the quick accounts. */
  events: number
}

/**
 * Derives the alerts of 200 accounts with a webhook each, beside those of accounts whose webhooks are slow. Returns the
 * milliseconds from each event to its arrival at each of the 200, of which one that is missing counts as infinite.
 */
export async function measureSlow({ databaseUrl, fault, slowAccounts, events }: Parameters) {
  const receiver = await startReceiver(faults[fault] ?? accept)
  const chain = createChain()
  const { accounts, jobs, derive } = openAlerts(databaseUrl, chain.read, {
    async resolve(hostname, signal) {
      if (fault === 'have slow names' && hostname === 'slow.example') await delay(late, undefined, { signal })
      return ['127.0.0.1']
    },
  })
  for (const [name, count, webhooks] of [
    ['slow', slowAccounts, 5],
    ['quick', quickAccounts, 1],
  ] as const)
    for (let index = 0; index < count; index++) {
      const account = addressOf(index + (name === 'slow' ? 10_000 : 20_000))
      const address = name === 'slow' ? watchedBySlow : watchedByGroup(index % groups)
      await accounts.alerts.saveWatch(account, { community, address, rules, updatedAt: 0 }, noBlock)
      for (let webhook = 0; webhook < webhooks; webhook++)
        await accounts.alerts.addWebhook(account, `http://${name}.example:${receiver.port}/${index}/${webhook}`)
    }
  await jobs.start()
  for (let event = 0; event < events; event++) {
    const pause = delay(1_000)
    chain.mine()
    while ((await derive(community)) === 'behind');
    await pause
  }
  const expected = (events * quickAccounts) / groups
  const end = performance.now() + 15_000
  while (receiver.times.length < expected && performance.now() < end) await delay(50)
  const times = [...receiver.times]
  const missing = expected - times.length
  await receiver.close()
  await jobs.close()
  await accounts.close()
  const all = [...times, ...Array<number>(missing).fill(Number.POSITIVE_INFINITY)]
  return { p50: percentile(all, 0.5), p95: percentile(all, 0.95), max: percentile(all, 1), slow: receiver.slow() }
}

type AlertsParameters = Partial<Pick<DeriveParameters, 'sendJobs' | 'onStored'>> & { resolve?: Resolve }

/** Opens the parts of the server that derive alerts from a chain, and deliver them. */
export function openAlerts(
  databaseUrl: string,
  read: (after: number) => WatchedEvents,
  { resolve = resolveLocal, ...parameters }: AlertsParameters = {},
) {
  const accounts = openAccounts(databaseUrl)
  const database = createDatabase(accounts.pool)
  const deliveryStore = createDeliveryStore(database)
  const jobs = createJobs({
    pool: accounts.pool,
    communities: [],
    derive: async () => undefined,
    listDue: async () => [],
    deliver: createDeliver({
      store: deliveryStore,
      send: createWebhookSender({ scope: 'any', resolve }),
      origin: 'http://localhost:5173',
    }),
  })
  const derive = createDerive({
    store: createDeriveStore(database),
    sendJobs: jobs.requestDeliveries,
    onStored: jobs.look,
    readEvents: async (_, { after }) => read(after ?? 0),
    ...parameters,
  })
  return { accounts, deliveryStore, jobs, derive }
}

type Place = Pick<WatchedEvent, 'block' | 'logIndex' | 'hash' | 'timestamp' | 'member'>

/** Returns a bind to a watched address. */
export const bindTo = (to: Address, place: Place): WatchedEvent => ({
  ...place,
  ...{ kind: 'bind', referrer: to, status: 'bound', from: null, to, isUndated: false },
  involved: [{ address: to.toLowerCase(), as: 'referrer', reached: null }],
})

/** Starts a receiver of webhooks on a free port of this machine. */
export async function receive(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

const quickAccounts = 200
const community = 'slow'
export const addressOf = (index: number): Address => getAddress(numberToHex(index + 1, { size: 20 }))
/** Quick accounts are in groups: each event is one of a group, and one of all slow accounts. */
const groups = 10
const watchedBySlow = addressOf(0)
const watchedByGroup = (group: number) => addressOf(1 + group)
const noBlock = { block: 0, finalizedBlock: 0 }
export const rules = {
  directs: true,
  team: 'off',
  milestones: false,
  referrer: false,
  irregular: false,
  volumeFrom: null,
} as const

/** Creates a chain on which each block has a bind that slow accounts watch, and one that a group of quick ones does. */
function createChain() {
  const items: WatchedEvent[] = []
  let block = 0
  return {
    mine(): void {
      block++
      for (const [logIndex, to] of [watchedBySlow, watchedByGroup(block % groups)].entries())
        items.push(
          bindTo(to, {
            ...{ block, logIndex, hash: numberToHex(block, { size: 32 }), timestamp: Date.now() },
            member: addressOf(100 + items.length),
          }),
        )
    },
    read(after: number) {
      const asOf = { block, timestamp: 1, finalizedBlock: block }
      return {
        asOf,
        upTo: block,
        items: items.filter((event) => event.block > after),
        heals: { index: 'bench', number: 0 },
      }
    },
  }
}

/** Starts a receiver that notes how long each alert took to its quick targets. */
async function startReceiver(answer: Answer) {
  const times: number[] = []
  let slow = 0
  const receiver = await receive((request, response) => {
    void readAlert(request).then(({ time, isSlow }) => {
      if (isSlow) return answer(response, slow++)
      times.push(Date.now() - time)
      accept(response)
    })
  })
  return { ...receiver, times, slow: () => slow }
}

async function readAlert(request: IncomingMessage): Promise<{ time: number; isSlow: boolean }> {
  let text = ''
  for await (const chunk of request) text += chunk
  const { data } = JSON.parse(text) as { data: { time: number } }
  return { time: data.time, isSlow: request.headers.host?.startsWith('slow.') ?? false }
}
