import { setTimeout as delay } from 'node:timers/promises'
import type { Miner } from './createMiner.ts'
import { areCurrent, isSaid, waitUntil } from './serverStatus.ts'
import type { Cluster, ClusterProcess } from './startCluster.ts'
import type { Answers } from './watchAnswers.ts'

/** A fault, or a change that an operator makes. */
export type Step = {
  name: string
  begin: (cluster: Cluster) => unknown
  /** Undoes the fault. */
  end?: (cluster: Cluster) => unknown
  /** Codes of reasons or warnings, one of which must be said within ten seconds; `unready`: `/v1/ready` is not 200. */
  said?: readonly string[]
  /** Positions of the servers that must say so. @default all */
  by?: readonly number[]
  /** Seconds that the fault lasts at least. @default 5 */
  seconds?: number
  /** Whether all servers must have the newest blocks while the fault lasts. */
  goesOn?: 'yes'
  /** Whether a visitor may find no server that answers. @default none */
  lost?: 'some' | 'none'
}

type StepReport = {
  step: string
  /** Seconds until the fault was said, and until all servers were ready and current again; `never` beyond the limit. */
  said: number | 'never' | 'nothing to say'
  recovered: number | 'never'
  lookups: number
  lost: number
  verdict: 'good' | 'bad'
}

type RunStepsParameters = {
  cluster: Cluster
  steps: readonly Step[]
  /** Order after the first round, which is as listed. `some`: as listed, until the time is over. */
  order: 'listed' | 'random' | 'some'
  minutes: number
  miner: Miner
  answers: Answers
  log: (message: string) => void
}

const saidLimit = 10_000
const recoveryLimit = 180_000
const goesOnLimit = 30_000
const inSeconds = (milliseconds: number) => Math.round(milliseconds / 100) / 10

/** Runs each step at least once, and goes on until the time is over. */
export async function runSteps({ cluster, steps, order, minutes, miner, answers, log }: RunStepsParameters) {
  const reports: StepReport[] = []
  const end = performance.now() + minutes * 60_000
  const least = order === 'some' ? 1 : steps.length
  for (let round = 0; round < least || performance.now() < end; round++) {
    const isRandom = order === 'random' && round >= steps.length
    const step = steps[isRandom ? Math.floor(Math.random() * steps.length) : round % steps.length] as Step
    const before = { right: answers.right, lost: answers.lost.length }
    const { said, recovered, hasGoneOn } = await runStep(cluster, step, miner)
    const lost = answers.lost.length - before.lost
    const isBad = !hasGoneOn || said === 'never' || recovered === 'never' || (lost > 0 && step.lost !== 'some')
    const counts = { lookups: answers.right - before.right, lost }
    reports.push({ step: step.name, said, recovered, ...counts, verdict: isBad ? 'bad' : 'good' })
    log(
      `${isBad ? 'BAD ' : ''}${step.name}: said ${said}, recovered ${recovered}, ${counts.lookups} lookups, ${lost} lost`,
    )
    if (recovered === 'never') throw new Error(`Not recovered from "${step.name}":\n${describe(cluster)}`)
  }
  return reports
}

async function runStep(cluster: Cluster, { begin, end, said, by, seconds = 5, goesOn }: Step, miner: Miner) {
  const servers = by ? by.map((index) => cluster.servers[index] as ClusterProcess) : cluster.servers
  await begin(cluster)
  const startedAt = performance.now()
  const areSaid = async () => (await Promise.all(servers.map(({ url }) => isSaid(url, said ?? [])))).every(Boolean)
  const wasSaid = said === undefined || (await waitUntil(areSaid, saidLimit))
  const saidAfter = performance.now() - startedAt
  await delay(Math.max(0, seconds * 1_000 - saidAfter))
  const hasGoneOn = goesOn !== 'yes' || (await waitUntil(() => areCurrent(cluster, miner.knownBlock()), goesOnLimit))
  if (!hasGoneOn) console.table(await listSessions(cluster))
  await end?.(cluster)
  const endedAt = performance.now()
  const isBack = await waitUntil(() => areCurrent(cluster, miner.knownBlock(), said ?? []), recoveryLimit)
  return {
    hasGoneOn,
    said: said === undefined ? ('nothing to say' as const) : wasSaid ? inSeconds(saidAfter) : ('never' as const),
    recovered: isBack ? inSeconds(performance.now() - endedAt) : ('never' as const),
  }
}

/** Returns what each connection does, and what it waits for. */
async function listSessions({ pool }: Cluster): Promise<object[]> {
  const { rows } = await pool.query(`
    select host(client_addr) as client, state, wait_event, extract(epoch from now() - state_change)::int as seconds,
      pg_blocking_pids(pid)::text as blocked_by, pid, left(regexp_replace(query, '\\s+', ' ', 'g'), 60) as query
    from pg_stat_activity where backend_type = 'client backend' order by client_addr`)
  return rows
}

/** Returns the last lines of each process. */
export function describe({ readers, servers }: Cluster): string {
  return [...readers, ...servers]
    .map(({ host, output }) => `--- ${host.name}\n${output().split('\n').slice(-15).join('\n')}`)
    .join('\n')
}
