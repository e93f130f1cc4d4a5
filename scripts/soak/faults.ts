import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { lies } from '../../apps/reader/test/lies.ts'
import type { Step } from './runSteps.ts'
import { areCurrent, type Lie, waitUntil } from './serverStatus.ts'
import { type Cluster, type ClusterProcess, community } from './startCluster.ts'

const hour = 3_600_000

const shift = (name: string, offset: number) => (cluster: Cluster) => cluster.setClock(name, offset)

/** Ends PostgreSQL as a crash of its machine would; it starts again. */
export const crashPostgres = ({ folder }: Cluster) => {
  const [pid] = readFileSync(join(folder, 'database/data/postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

/**
 * Returns the reader that writes; the first one if it is not clear for ten seconds. One that was stopped says that it
 * writes until it learns that another took over.
 */
export async function findWriter({ readers }: Cluster): Promise<ClusterProcess> {
  let writer: ClusterProcess | undefined
  await waitUntil(async () => {
    const roles = await Promise.all(readers.map(({ url }) => readRole(url)))
    const writers = readers.filter((_, index) => roles[index] === 'writer')
    writer = writers[0]
    return writers.length === 1
  }, 10_000)
  return writer ?? (readers[0] as ClusterProcess)
}

async function readRole(url: string): Promise<string | undefined> {
  const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined)
  return ((await response?.json().catch(() => undefined)) as { role: string } | undefined)?.role
}

/** Kills both readers at random moments: `pnpm soak`. */
export const kills: readonly Step[] = [0, 1].map((index) => ({
  name: `reader ${index + 1} killed`,
  begin: async (cluster: Cluster) => {
    await delay(Math.random() * 3_000)
    await cluster.readers[index]?.kill()
  },
  seconds: 1,
}))

/** Faults that one machine can have: `pnpm soak --minutes 60`. */
export const faults: readonly Step[] = [
  {
    name: 'both nodes silent',
    begin: ({ nodes }) => Promise.all(nodes.map((node) => node.stop())),
    end: ({ nodes }) => Promise.all(nodes.map((node) => node.listen())),
    said: ['nodes_unavailable', 'stale', 'index_stuck'],
  },
  {
    name: 'both readers killed for ten seconds',
    begin: ({ readers }) => Promise.all(readers.map((reader) => reader.pause())),
    end: ({ readers }) => readers.map((reader) => reader.resume()),
    said: ['reader_silent', 'stale'],
  },
  {
    name: 'the first node silent',
    begin: ({ nodes: [first] }) => first.stop(),
    end: ({ nodes: [first] }) => first.listen(),
    said: ['node_silent'],
  },
  { name: 'a server killed', begin: ({ servers }) => servers[0]?.kill() },
  {
    name: 'both nodes at an old block',
    begin: freezeNodes,
    end: ({ nodes }) => nodes.map((node) => node.behave(() => undefined)),
    said: ['stale', 'index_stuck', 'node_behind'],
  },
  { name: 'PostgreSQL crashed', begin: crashPostgres, seconds: 1 },
  {
    name: 'PostgreSQL down for ten seconds',
    begin: ({ postgres }) => postgres.pause(),
    end: ({ postgres }) => postgres.resume(),
    said: ['database_unavailable'],
    seconds: 10,
  },
  ...clockFaults(),
]

export function clockFaults(): Step[] {
  const back = (name: string) => shift(name, 0)
  return [
    {
      name: 'the clock of a server an hour ahead',
      begin: shift('server-1', hour),
      end: back('server-1'),
      said: ['stale'],
      by: [0],
    },
    { name: 'the clock of a server an hour back', begin: shift('server-1', -hour), end: back('server-1') },
    { name: 'the clock of a reader an hour ahead', begin: shift('reader-1', hour), end: back('reader-1') },
    { name: 'the clock of a reader an hour back', begin: shift('reader-1', -hour), end: back('reader-1') },
  ]
}

/** Makes the nodes return no block after the current one. */
async function freezeNodes({ nodes, chain }: Cluster): Promise<void> {
  const head = await chain.client.getBlockNumber({ cacheTime: 0 })
  for (const node of nodes)
    node.behave(({ method, params: [first] }) => {
      if (method === 'eth_blockNumber') return { result: numberToHex(head) }
      if (!/^eth_get(BlockByNumber|HeaderByNumber)$/.test(method)) return undefined
      const block = String(first)
      if (block === 'latest') return { instead: [numberToHex(head), true] }
      return block.startsWith('0x') && BigInt(block) > head ? { result: null } : undefined
    })
}

const root = join(import.meta.dirname, '../..')

/** Restarts and changes that an operator makes: `pnpm soak --changes --minutes 60`. */
export async function createChanges(cluster: Cluster): Promise<readonly Step[]> {
  const { folder, servers, readers, startProcess } = cluster
  const changed = join(folder, 'changed.json')
  writeFileSync(changed, JSON.stringify({ communities: [community, { ...community, id: 'second' }] }))
  const app = join(folder, 'app')
  execFileSync(process.execPath, [join(root, 'scripts/run.mjs'), 'deploy', app], { stdio: 'pipe' })
  appendFileSync(join(app, 'apps/reader/src/main.ts'), '\n// Another version.\n')

  const untilCurrent = async (process: ClusterProcess) => {
    const known = Number(await cluster.chain.client.getBlockNumber({ cacheTime: 0 }))
    if (!(await waitUntil(() => areCurrent({ servers: [process] }, known), 120_000)))
      throw new Error(`${process.host.name} is not ready:\n${process.output()}`)
  }
  /** Starts other readers beside the old ones, then replaces one server after the other, as docs/production.md says. */
  async function moveTo(options: Parameters<ClusterProcess['launch']>[0]): Promise<void> {
    for (const reader of readers) await reader.replace(reader.launch(options))
    for (const server of servers) {
      await server.replace(server.launch(options))
      await untilCurrent(server)
    }
  }
  return [
    { name: 'a reader is restarted', begin: () => readers[0]?.replace(readers[0].launch()) },
    { name: 'the other reader is restarted', begin: () => readers[1]?.replace(readers[1].launch()) },
    { name: 'each server is restarted', begin: () => moveTo({}) },
    { name: 'PostgreSQL is restarted', begin: ({ postgres }) => postgres.kill() },
    { name: 'a community is added', begin: () => moveTo({ config: changed }) },
    { name: 'it is removed again', begin: () => moveTo({}) },
    { name: 'another version is started', begin: () => moveTo({ app }) },
    { name: 'the version is undone', begin: () => moveTo({}) },
    {
      name: 'a third reader starts and ends',
      begin: async () => (await startProcess('reader-1', 'reader', {})).end('SIGTERM'),
    },
  ]
}

/** Position of the node that lies, and the number of nodes. */
const liars = [
  [0, 1],
  [0, 2],
  [1, 3],
  [1, 2],
  [0, 3],
  [2, 3],
] as const
/** Number of lies in a row for which the nodes stay the same, since another number restarts the readers. */
const inRow = 9

/** Creates the steps of `pnpm soak --nodes`: each lie of each node, with one, two and three nodes. Notes them in `told`. */
export function createNodeLies(told: Lie[]): readonly Step[] {
  let used = 2
  /** Lets the readers use a number of nodes, of which they may lie from their start on. */
  async function start({ readers }: Cluster, count: number): Promise<void> {
    used = count
    await Promise.all(readers.map((reader) => reader.replace(reader.launch({ nodes: count }))))
  }
  return liars.flatMap((_, pass) =>
    Object.entries(lies).map(([name, lie], index): Step => {
      // In each pass all lies are told, some with each number of nodes.
      const [position, count] = liars[(pass + Math.floor(index / inRow)) % liars.length] as (typeof liars)[number]
      const isAtStart = (index + position) % 3 === 0
      const isLong = (index + position) % 10 === 5
      let lieNow: Lie | undefined
      const headOf = async ({ chain }: Cluster) => Number(await chain.client.getBlockNumber({ cacheTime: 0 }))
      const when = isAtStart ? ' from the start of the readers on' : ''
      return {
        name: `node ${position + 1} of ${count} ${name}${when}`,
        begin: async (cluster) => {
          if (used !== count) await start(cluster, count)
          lieNow = { name, node: position + 1, nodes: count, from: await headOf(cluster), to: Number.POSITIVE_INFINITY }
          told.push(lieNow)
          cluster.nodes[position]?.behave(lie())
          if (isAtStart) await start(cluster, count)
        },
        end: async (cluster) => {
          cluster.nodes[position]?.behave(() => undefined)
          if (lieNow) lieNow.to = await headOf(cluster)
        },
        seconds: isLong ? 45 : isAtStart ? 7 : 4,
        lost: 'some',
      }
    }),
  )
}
