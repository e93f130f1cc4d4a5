import { execFileSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Status } from '@lineage/referral-api'
import { type Address, numberToHex, zeroAddress } from 'viem'
import { type Chain, contract, startChain } from '../../apps/indexer/test/chain.ts'
import { type Database, startDatabases } from '../../apps/indexer/test/databases.ts'
import { poll, startIndexer } from '../../apps/indexer/test/indexer.ts'
import { createCleanUp } from '../lib/testing.ts'
import { freePort } from '../vitest/freePort.ts'
import { createVisitors } from './createVisitors.ts'
import { keepRunning } from './keepRunning.ts'
import { startServer } from './startServer.ts'

type Operation = { operation: string; seconds: number; asked: number; lost: number }
export type ChangesSoaked = {
  operations: Operation[]
  asked: number
  lost: string[]
  rows: number
  tables: 'equal' | 'different'
}
export type SoakChangesParameters = { minutes: number; log: (message: string) => void }

const root = join(import.meta.dirname, '../..')
const patience = 300_000
const addressOf = (index: number): Address => numberToHex(index + 0xabc000, { size: 20 })
const toUrl = (port: number) => `http://127.0.0.1:${port}`

/** A version of the indexer with a configuration. */
type Variant = { config: string; program: string; ports: readonly [indexer: number, replica: number] }

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

/**
 * Runs two servers, the indexer and a replica on PostgreSQL under load. Each of them is ended, and the configuration
 * and the version are changed and changed back. Counts the lookups that no server answered, and compares the tables
 * with a fresh index.
 */
export async function soakChanges({ minutes, log }: SoakChangesParameters): Promise<ChangesSoaked> {
  const made = createCleanUp()
  const databases = await startDatabases('PostgreSQL')
  made.later(() => databases.stop())
  const chain = await startChain()
  made.later(() => chain.stop())
  try {
    const variants = await makeVariants(made.folder())
    const product = await startProduct({
      chain,
      database: await databases.create(),
      variant: variants.old,
      later: made.later,
    })
    const operations: Operation[] = []
    const visitors = createVisitors(
      product.servers.map(({ url }) => url),
      addressOf,
    )
    const chainGrowth = growChain(chain)
    const steps: [operation: string, run: () => Promise<void>][] = [
      ['the replica is killed', () => product.restart('replica')],
      ['the indexer is killed', () => product.restart('indexer')],
      ['PostgreSQL is restarted', () => databases.restart(() => delay(2_000))],
      ['each server is restarted', () => product.restartServers()],
      ['the configuration is changed', () => product.moveTo(variants.changed)],
      ['the change is undone', () => product.moveTo(variants.old)],
      ['another version is started', () => product.moveTo(variants.upgraded)],
      ['the version is undone', () => product.moveTo(variants.old)],
    ]
    const end = performance.now() + minutes * 60_000
    for (let index = 0; index < steps.length || performance.now() < end; index++) {
      const [operation, run] = steps[index % steps.length] as (typeof steps)[number]
      const before = { at: performance.now(), asked: visitors.asked(), lost: visitors.lost.length }
      await run()
      await product.untilReady()
      await delay(2_000)
      const seconds = Math.round((performance.now() - before.at) / 1_000)
      const done = {
        operation,
        seconds,
        asked: visitors.asked() - before.asked,
        lost: visitors.lost.length - before.lost,
      }
      operations.push(done)
      log(`${operation}: ${seconds} s, ${done.asked} lookups, ${done.lost} lost`)
    }
    await visitors.end()
    await chainGrowth.end()
    const compared = await compareTables(chain, product, await databases.create())
    return { operations, asked: visitors.asked(), lost: visitors.lost, ...compared }
  } finally {
    await made.cleanUp()
  }
}

/** Writes two configurations, and deploys another version, whose handlers differ by a comment. */
async function makeVariants(folder: string): Promise<Record<'old' | 'changed' | 'upgraded', Variant>> {
  const [config, changed, app] = ['lineage.json', 'changed.json', 'app'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(config, JSON.stringify({ communities: [community] }))
  writeFileSync(changed, JSON.stringify({ communities: [community, { ...community, id: 'second' }] }))
  execFileSync(process.execPath, [join(root, 'scripts/run.mjs'), 'deploy', app], { stdio: 'pipe' })
  appendFileSync(join(app, 'apps/indexer/src/index.ts'), '\n// Another version.\n')
  const program = 'start.ts'
  const upgraded = relative(join(root, 'apps/indexer'), join(app, 'apps/indexer/start.ts'))
  const ports = async () => [await freePort(), await freePort()] as const
  return {
    old: { config, program, ports: await ports() },
    changed: { config: changed, program, ports: await ports() },
    upgraded: { config, program: upgraded, ports: await ports() },
  }
}

type Product = Awaited<ReturnType<typeof startProduct>>
type StartProductParameters = {
  chain: Chain
  database: Database
  variant: Variant
  /** Registers a task to run at the end. */
  later: (task: () => unknown) => void
}

async function startProduct({ chain, database, variant, later }: StartProductParameters) {
  for (let index = 0; index < 60; index++)
    await chain.bind([addressOf(index), index ? addressOf(index - 1) : zeroAddress])

  const startParts = ({ config, program, ports: [indexer, replica] }: Variant) => {
    const start = (role: 'start' | 'serve', port: number) =>
      keepRunning(async () => {
        const one = await startIndexer({ config, program, port, role, url: chain.url, database, patience })
        return { ended: one.exitCode(), kill: one.kill, untilReady: one.untilReady }
      })
    const parts = { indexer: start('start', indexer), replica: start('serve', replica) }
    later(parts.indexer.end)
    later(parts.replica.end)
    return parts
  }

  let current = { variant, parts: startParts(variant) }
  const urlsOf = ({ ports }: Variant) => ports.map(toUrl)
  const servers = [await freePort(), await freePort()].map((port) => createServer(port, chain.url))
  for (const server of servers) later(server.end)

  /** Restarts the servers one after the other, like behind a load balancer. */
  async function restartServers(indexers = urlsOf(current.variant)): Promise<void> {
    for (const server of servers) await server.restart(indexers)
  }

  /** Returns the status of a server; `undefined` while it does not respond. */
  const statusOf = (url: string) =>
    fetch(`${url}/v1/status`)
      .then((response) => response.json() as Promise<Status>)
      .catch(() => undefined)
  async function areReady(): Promise<boolean> {
    const all = await Promise.all(servers.map(({ url }) => statusOf(url)))
    return all.every((status) => status?.indexers?.slice(0, 2).every(({ state }) => state === 'ready'))
  }
  const untilReady = () => poll(areReady, patience)

  await restartServers()
  await untilReady()
  return {
    servers,
    untilReady,
    restartServers,
    async restart(part: 'indexer' | 'replica'): Promise<void> {
      await current.parts[part].kill()
      // Servers may treat it as ready until their next check.
      await poll(async () => !(await areReady()), patience)
    },
    /**
     * Moves to another index as in docs/production.md: both are listed, the new one first, and the old one ends once
     * the new one is ready.
     */
    async moveTo(next: Variant): Promise<void> {
      const old = current
      await restartServers([...urlsOf(next), ...urlsOf(old.variant)])
      current = { variant: next, parts: startParts(next) }
      await untilReady()
      await restartServers()
      await untilReady()
      for (const part of Object.values(old.parts)) await part.end()
    },
    database,
    variant: () => current.variant,
  }
}

/** Creates a server without starting it. */
function createServer(port: number, rpcUrl: string) {
  const url = toUrl(port)
  let running: ReturnType<typeof keepRunning> | undefined
  return {
    url,
    end: async () => running?.end(),
    async restart(indexers: readonly string[]): Promise<void> {
      await running?.end('SIGTERM')
      running = keepRunning(() => startServer(port, { LINEAGE_INDEXERS: indexers.join(), LINEAGE_RPC_URLS: rpcUrl }))
      await poll(async () => {
        const answer = await fetch(`${url}/v1/communities`, { headers: { connection: 'close' } }).catch(() => undefined)
        return answer?.status === 200
      }, patience)
    },
  }
}

/** Starts an indexer with an empty database, and compares its tables. */
async function compareTables(chain: Chain, { variant, database }: Product, empty: Database) {
  const { config, program, ports } = variant()
  const fresh = await startIndexer({ config, program, url: chain.url, database: empty, patience })
  try {
    await fresh.untilReady()
    const newest = Number(await chain.client.getBlockNumber({ cacheTime: 0 }))
    for (const port of [fresh.port, ports[0]])
      await poll(async () => {
        const status = (await (await fetch(`${toUrl(port)}/v1/status`)).json()) as Status
        return (status.asOf?.block ?? 0) >= newest
      }, patience)
    const [found] = await empty.query<{ schema: string }>(
      `select table_schema as schema from information_schema.tables
        where table_name = 'bind_event' and table_schema like 'lineage_%'`,
    )
    const read = async (one: Database) =>
      (
        await one.query<{ row: string }>(`select one::text as row from "${found?.schema}".bind_event one order by 1`)
      ).map(({ row }) => row)
    const [expected, rows] = [await read(empty), await read(database)]
    return { rows: rows.length, tables: rows.join() === expected.join() ? ('equal' as const) : ('different' as const) }
  } finally {
    await fresh.kill('SIGTERM')
  }
}

/** Binds a new member each second. */
function growChain(chain: Chain) {
  let state: 'growing' | 'ended' = 'growing'
  const growing = (async () => {
    for (let index = 1_000; state === 'growing'; index++) {
      await chain.bind([addressOf(index), addressOf(index % 60)])
      await delay(1_000)
    }
  })()
  return {
    async end() {
      state = 'ended'
      await growing
    },
  }
}
