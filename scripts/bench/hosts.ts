/**
 * `pnpm bench:hosts [--seconds 10] [--visitors 32]`: PostgreSQL, two readers and four servers on hosts of their own (network
 * namespaces; needs root on Linux). Prints the lookups a second of one, two and four servers, and what a visitor notices
 * when one of four is killed.
 */

import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { readOptions } from '../lib/readOptions.ts'
import { addressOf, createMiner } from '../soak/createMiner.ts'
import { createHosts, enterOwnNetwork } from '../soak/hosts.ts'
import { describe } from '../soak/runSteps.ts'
import { areCurrent, waitUntil } from '../soak/serverStatus.ts'
import { type ClusterProcess, community, hostNames, startCluster } from '../soak/startCluster.ts'
import { percentile, printTable } from './figures.ts'
import { readProcessorTime } from './readUse.ts'

const { seconds, visitors } = readOptions({ seconds: 10, visitors: 32 })
enterOwnNetwork()
/** Milliseconds until another server is asked, and until a lookup is lost. */
const [timeout, patience] = [2_000, 10_000]

process.setMaxListeners(50)
const cluster = await startCluster({ hosts: await createHosts(hostNames(4)), servers: 4 })
const miner = createMiner(cluster.chain)
await miner.fill()
const ending = new AbortController()
const mining = miner.run(ending.signal)
if (!(await waitUntil(() => areCurrent(cluster, miner.knownBlock()), 120_000))) throw new Error(describe(cluster))
await sendLookups(cluster.servers, 3)

const rows: Record<string, object> = {}
for (const count of [1, 2, 4]) {
  const servers = cluster.servers.slice(0, count)
  const before = readCpu(servers)
  const load = await sendLookups(servers, seconds)
  const used = readCpu(servers) - before
  rows[`${count} of four servers`] = {
    ...describeLoad(load),
    'a second of its processor': load.milliseconds.length / used,
  }
}
const whole = await sendLookups(cluster.servers, seconds)
const [killed] = await Promise.all([sendLookups(cluster.servers, seconds), delay((seconds * 1_000) / 3).then(killOne)])
ending.abort()
await mining
await cluster.close()

printTable({ ...rows, 'all of them': describeLoad(whole), 'one of them killed': describeLoad(killed) })
process.exit(whole.lost + killed.lost > 0 ? 1 : 0)

function describeLoad({ milliseconds, lost }: Awaited<ReturnType<typeof sendLookups>>) {
  const times = { 'p50 ms': percentile(milliseconds, 0.5), 'p95 ms': percentile(milliseconds, 0.95) }
  return { 'lookups/s': milliseconds.length / seconds, ...times, lost }
}

async function killOne(): Promise<void> {
  await cluster.servers[0]?.kill()
}

/** Returns the seconds of processor time that the servers have used. */
function readCpu(servers: readonly ClusterProcess[]): number {
  return servers.reduce((sum, server) => sum + readProcessorTime(server.pid() ?? 0), 0) / 1_000
}

/** Sends lookups as visitors who ask another server when one does not answer. */
async function sendLookups(servers: readonly ClusterProcess[], duration: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: visitors })
  const milliseconds: number[] = []
  let lost = 0
  const end = performance.now() + duration * 1_000
  async function visit(visitor: number): Promise<void> {
    for (let round = 0; performance.now() < end; round++) {
      const startedAt = performance.now()
      let isAnswered = false
      for (let turn = visitor; !isAnswered && performance.now() - startedAt < patience; turn++)
        isAnswered = await ask(agent, `${servers[turn % servers.length]?.url}${pathOf(round)}`, visitor)
      if (isAnswered) milliseconds.push(performance.now() - startedAt)
      else lost++
    }
  }
  await Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)))
  agent.destroy()
  return { milliseconds, lost }
}

/** Returns the path of one of the lookups that a page makes. */
function pathOf(round: number): string {
  const member = `/v1/communities/${community.id}/members/${addressOf(round % 400)}`
  return round % 4 === 3 ? `${member}/referrals?limit=50` : member
}

/** Returns whether a server answers a lookup. */
function ask(agent: Agent, url: string, visitor: number): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { 'x-forwarded-for': `203.0.113.${visitor}` }
    const request = get(url, { agent, headers, timeout }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200 || response.statusCode === 404))
      response.once('error', () => resolve(false))
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(false))
  })
}
