/**
 * Runs one of five soaks, which exit with code 1 if anything was wrong. Each runs two readers and servers on PostgreSQL,
 * and compares every answer with an oracle. No answer may be wrong or older than one that the visitor has seen, no
 * lookup lost, no two readers may write, each alert comes once, and each fault is said within ten seconds.
 *
 * `pnpm soak [--runs 50]`: kills the readers at random moments, and compares the tables with those of a fresh index.
 *
 * `pnpm soak --minutes 60`: faults of nodes, processes, clocks and PostgreSQL.
 *
 * `pnpm soak --changes --minutes 60`: restarts, and changes of the configuration and of the version and back. It makes at
 * least one round, which takes some minutes.
 *
 * `pnpm soak --nodes --minutes 60`: each way in which a node can lie, of one, two and three nodes each in turn. Answers may
 * be wrong until a minute after their block is final, or while `/v1/status` names the node, and says that the blocks in which
 * it lied are not confirmed.
 *
 * `pnpm soak --hosts --minutes 60`: each process on a host of its own, whose lines are cut, one way too, lose packets and
 * become narrow. Needs root on Linux.
 */

import { createHash } from 'node:crypto'
import { indexSchema, openPool } from '@lineage/database'
import { readOptions } from './lib/readOptions.ts'
import { createMiner } from './soak/createMiner.ts'
import { createChanges, createNodeLies, faults, kills } from './soak/faults.ts'
import { createHostFaults } from './soak/hostFaults.ts'
import { createHosts, enterOwnNetwork, useThisMachine } from './soak/hosts.ts'
import { describe, runSteps, type Step } from './soak/runSteps.ts'
import { areCurrent, type Lie, waitUntil } from './soak/serverStatus.ts'
import { type Cluster, community, hostNames, origin, startCluster } from './soak/startCluster.ts'
import { watchAlerts } from './soak/watchAlerts.ts'
import { type Answers, watchAnswers } from './soak/watchAnswers.ts'
import { watchWriters } from './soak/watchWriters.ts'

/** `only`: a pattern of the names of the steps to take. */
const options = readOptions({
  ...{ hosts: false, changes: false, nodes: false },
  ...{ minutes: 0, runs: 50, servers: 2, only: '' },
})
if (options.hosts) enterOwnNetwork()
/** Faults of nodes so far. */
const lies: Lie[] = []
/** Number of blocks after which the readers have read a block a second time. */
const rereadAfter = 35
process.setMaxListeners(50)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const log = (message: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${message}`)
const { servers, minutes } = options
const lines = options.hosts ? await createHosts(hostNames(servers)) : undefined
const cluster = await startCluster({ hosts: lines ?? useThisMachine(), servers, nodes: options.nodes ? 3 : 2 })
const isRight = await soak(cluster).catch((error: Error) => {
  console.error(error.message)
  return false
})
await cluster.close()
process.exit(isRight ? 0 : 1)

async function soak(cluster: Cluster): Promise<boolean> {
  const miner = createMiner(cluster.chain)
  await miner.fill()
  const ending = new AbortController()
  const mining = miner.run(ending.signal)
  if (!(await waitUntil(() => areCurrent(cluster, miner.knownBlock()), 120_000))) throw new Error(describe(cluster))
  const writers = await watchWriters(cluster)
  const healing = options.nodes ? 'in time' : 'none'
  const alerts = await watchAlerts({
    servers: cluster.servers,
    own: cluster.hosts.own,
    origin,
    community: community.id,
    healing,
  })
  const visits = { servers: cluster.servers, community: community.id, miner, signal: ending.signal } as const
  const { answers, ended } = watchAnswers({ ...visits, lies: options.nodes ? lies : undefined })

  const steps = (await chooseSteps()).filter(({ name }) => new RegExp(options.only).test(name))
  const reports = await runSteps({
    cluster,
    steps,
    order: options.nodes ? 'some' : options.changes ? 'listed' : 'random',
    minutes,
    miner,
    answers,
    log,
  })
  const last = miner.knownBlock() + (options.nodes ? rereadAfter : 0)
  await waitUntil(() => answers.healing.size === 0 && miner.knownBlock() >= last, 120_000)
  ending.abort()
  await Promise.all([ended, mining])
  const told = await alerts.compare(miner)
  const written = await writers.compare()
  const compared = await compareTables(cluster)
  alerts.close()

  console.table(reports)
  if (options.nodes) console.table(listHealed(answers.healed))
  const wrong = [...answers.wrong, ...told.wrong, ...written.wrong]
  for (const one of wrong.slice(0, 20)) log(`WRONG ${one}`)
  for (const one of answers.lost.slice(0, 20)) log(`LOST ${one}`)
  const bad = reports.filter(({ verdict }) => verdict === 'bad').length
  log(
    `${reports.length} steps, ${bad} of them bad; ${answers.right} answers right, ${answers.wrong.length} wrong, ${answers.refused} repeated, ${answers.lost.length} lost; ${answers.healed.length} healed, after ${Math.round(Math.max(0, ...answers.healed.map(({ seconds }) => seconds)))} s at most.`,
  )
  log(
    `${told.expected} alerts, ${told.wrong.length} wrong, ${told.repeated} delivered again; ${written.writers} writers, ${written.wrong.length} writes wrong; ${compared.rows} rows, ${compared.tables} to a fresh index.`,
  )
  return wrong.length === 0 && bad === 0 && answers.right > 0 && told.expected > 0 && compared.tables === 'equal'
}

/** Returns for each lie, told by one of so many nodes, how many answers were wrong for a while, and for how long at most. */
function listHealed(healed: Answers['healed']): object[] {
  const groups = Map.groupBy(healed, ({ lie }) => (lie ? `${lie.name}, one of ${lie.nodes}` : 'before the first lie'))
  return [...groups].map(([lie, all]) => ({
    ...{ lie, answers: all.length, seconds: Math.round(Math.max(...all.map(({ seconds }) => seconds))) },
  }))
}

async function chooseSteps(): Promise<readonly Step[]> {
  if (lines) return createHostFaults(lines)
  if (options.changes) return createChanges(cluster)
  if (options.nodes) return createNodeLies(lies)
  if (minutes > 0) return faults
  return Array.from({ length: options.runs }, (_, run) => kills[run % kills.length] as Step)
}

/** Reads the chain into an empty database, and compares the events with those of the cluster. */
export async function compareTables(cluster: Cluster) {
  const name = `fresh_${Date.now()}`
  await cluster.pool.query(`create database ${name}`)
  const url = new URL(cluster.databaseUrl)
  url.pathname = name
  const fresh = openPool({ url: url.href })
  const reader = await cluster.startProcess('reader-1', 'reader', { DATABASE_URL: url.href })
  try {
    const newest = Number(await cluster.chain.client.getBlockNumber({ cacheTime: 0 }))
    const hasAll = async (pool: typeof fresh) => {
      const sql = `select min(block) as block from ${indexSchema}.source where community = 'soak' and state = 'live'`
      const { rows } = await pool.query<{ block: number }>(sql).catch(() => ({ rows: [] }))
      return Number(rows[0]?.block) >= newest
    }
    for (const pool of [fresh, cluster.pool])
      if (!(await waitUntil(() => hasAll(pool), 120_000)))
        throw new Error(`Block ${newest} was not read:\n${reader.output()}`)
    const [expected, found] = [await readEvents(fresh, newest), await readEvents(cluster.pool, newest)]
    return { rows: found.count, tables: found.hash === expected.hash ? ('equal' as const) : ('different' as const) }
  } finally {
    await reader.end('SIGTERM')
    await fresh.end()
  }
}

/** Returns a digest of the events up to a block, without the number that the database gave to the source. */
async function readEvents(pool: Cluster['pool'], upTo: number) {
  const { rows } = await pool.query<{ row: string }>(
    `select (to_jsonb(event) - 'source')::text as row from ${indexSchema}.event
      join ${indexSchema}.source on source.id = event.source
      where source.community = 'soak' and event.block <= $1 order by event.block, log_index, kind`,
    [upTo],
  )
  const hash = createHash('sha256')
  for (const { row } of rows) hash.update(`${row}\n`)
  return { count: rows.length, hash: hash.digest('hex') }
}
