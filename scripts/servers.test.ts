import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createCleanUp } from './lib/testing.ts'
import { createMiner, type Miner } from './soak/createMiner.ts'
import { findWriter } from './soak/faults.ts'
import { useThisMachine } from './soak/hosts.ts'
import { areCurrent } from './soak/serverStatus.ts'
import { type Cluster, community, startCluster } from './soak/startCluster.ts'
import { watchAnswers } from './soak/watchAnswers.ts'
import { watchWriters } from './soak/watchWriters.ts'
import { waitLimit } from './vitest/limits.ts'

const made = createCleanUp()
const interval = 250
let cluster: Cluster
let miner: Miner

// Both tests use one cluster: its seven processes take long to start.
beforeAll(async () => {
  cluster = await startCluster({ hosts: useThisMachine(), servers: 2 })
  made.later(cluster.close)
  miner = createMiner(cluster.chain)
  await miner.fill()
  const ending = new AbortController()
  const mining = miner.run(ending.signal)
  made.later(() => mining)
  made.later(() => ending.abort())
  await untilCurrent()
})

afterAll(made.cleanUp, 60_000)

/** Sends lookups to all servers until `end`, which returns what was wrong with the answers. */
function visit() {
  const ending = new AbortController()
  made.later(() => ending.abort())
  const { servers } = cluster
  const { answers, ended } = watchAnswers({ servers, community: community.id, miner, signal: ending.signal })
  async function end() {
    ending.abort()
    await ended
    return { wrong: answers.wrong, lost: answers.lost }
  }
  return { answers, end }
}

const untilCurrent = (message = 'all servers have the newest block') =>
  vi.waitFor(async () => expect(await areCurrent(cluster, miner.knownBlock()), message).toBe(true), {
    timeout: waitLimit,
    interval,
  })

test('behavior: no lookup is lost, none goes back, and one reader writes while the writer, a server and PostgreSQL end', async () => {
  const writers = await watchWriters(cluster)
  const { answers, end } = visit()
  // The first writer is killed only after it was seen writing.
  await expect.poll(async () => (await writers.compare()).writers, { interval }).toBe(1)
  const steps: Record<string, () => Promise<unknown> | undefined> = {
    'the writer is killed': async () => (await findWriter(cluster)).kill(),
    'a server is killed': () => cluster.servers[0]?.kill(),
    'the other server is restarted': () => cluster.servers[1]?.replace(cluster.servers[1].launch()),
    'PostgreSQL is restarted': () => cluster.postgres.kill(),
  }
  for (const [step, act] of Object.entries(steps)) {
    const { right } = answers
    const { knownBlock } = miner
    await act()
    const block = knownBlock()
    await expect.poll(knownBlock, { message: step, interval }).toBeGreaterThan(block + 2)
    await untilCurrent(step)
    await expect.poll(() => answers.right, { message: step, interval }).toBeGreaterThan(right + 20)
  }
  expect(await end()).toEqual({ wrong: [], lost: [] })
  const compared = await writers.compare()
  expect(compared.wrong).toEqual([])
  // The one that was killed and its standby, and perhaps one more when PostgreSQL came back.
  expect(compared.writers).toBeGreaterThanOrEqual(2)
}, 600_000)

test('behavior: another community is read beside the first, which goes on to be answered', async () => {
  const config = join(made.folder(), 'changed.json')
  writeFileSync(config, JSON.stringify({ communities: [community, { ...community, id: 'second' }] }))
  const { end } = visit()
  for (const reader of cluster.readers) await reader.replace(reader.launch({ config }))
  const readSources = async () =>
    (await cluster.pool.query('select community, state from lineage_1.source order by id')).rows
  const both = [
    { community: community.id, state: 'live' },
    { community: 'second', state: 'live' },
  ]
  await expect.poll(readSources, { interval }).toEqual(both)
  for (const server of cluster.servers) {
    await server.replace(server.launch({ config }))
    const listed = async () => {
      const response = await fetch(`${server.url}/v1/communities`).catch(() => undefined)
      const { items = [] } = ((await response?.json()) ?? {}) as { items?: { id: string }[] }
      return items.map(({ id }) => id)
    }
    await expect.poll(listed, { interval }).toEqual([community.id, 'second'])
  }
  expect(await end()).toEqual({ wrong: [], lost: [] })
}, 600_000)
