import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { numberToHex } from 'viem'
import type { Step } from './runSteps.ts'
import type { Cluster, ClusterProcess } from './startCluster.ts'
import { waitUntil } from './waitUntil.ts'

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
