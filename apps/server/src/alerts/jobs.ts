import type { Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Query } from '../database/database.ts'
import { summarizeError } from '../lib/log.ts'
import { createRound } from './createRound.ts'
import type { DueWebhook, Lane } from './deliveryStore.ts'

export type JobsParameters = {
  pool: Pool
  /** Communities whose alerts this server can derive. */
  communities: readonly string[]
  /** Derives the next alerts of a community. Returns the milliseconds until it must run again, if it must. */
  derive: (community: string) => Promise<number | undefined>
  /** Delivers to a webhook in its lane. Returns the webhook's lane and the milliseconds until its next turn, if any. */
  deliver: (webhook: string, lane: Lane) => Promise<{ webhook: DueWebhook; wait: number } | undefined>
  /** Lists the webhooks with undelivered alerts, which may have no jobs after a move from another database. */
  listDue: () => Promise<DueWebhook[]>
  /** Seconds between two looks for jobs, which other servers may have sent. */
  pollingInterval?: number
  /** Seconds until a job that failed is run again; they double with each failure, up to an hour. */
  retryDelay?: number
}

/** Jobs that a server runs at once. Those of slow webhooks mostly wait. */
const width = { derive: 1, fast: 64, slow: 200 }
/** Milliseconds between two signs of life of a job that runs. */
const signOfLife = 5_000
/** Webhooks of one account that are served at once in a lane; twice as many if two servers look at the same moment. */
const webhooksPerAccount = 2

const lanes = { fast: 'webhooks', slow: 'webhooks-slow' } as const satisfies Record<Lane, string>
const deriveQueue = (community: string) => `derive.${community}`

/**
 * Creates the queues of jobs in the database of accounts, for all servers on it: one for each community, whose alerts
 * one server at a time derives, and one for each lane of webhooks. A webhook or a community has at most one job that
 * runs and one that waits. The job of a process that was killed is run again within a minute.
 */
export function createJobs({ pool, communities, derive, deliver, listDue, ...parameters }: JobsParameters) {
  const { pollingInterval = 2, retryDelay = 5 } = parameters
  let opened: { boss: PgBoss; runners: Map<string, Runner> } | undefined
  let state: 'open' | 'closed' = 'open'
  let timer: NodeJS.Timeout | undefined

  const report = (error: unknown) => {
    if (state === 'open') console.error(`The jobs of alerts fail: ${summarizeError(error)}.`)
  }

  async function open(): Promise<void> {
    const boss = await startBoss(pool, report)
    const runners = new Map<string, Runner>()
    const addRunner = async (queue: string, most: number, run: Runner['run']) => {
      const options = { heartbeatSeconds: (3 * signOfLife) / 1_000, deleteAfterSeconds: 60, retryLimit: 1_000_000 }
      const retries = { retryDelay, retryBackoff: true, retryDelayMax: 3_600 }
      await boss.createQueue(queue, { policy: 'stately', ...options, ...retries })
      runners.set(queue, createRunner(boss, { queue, most, run, report }))
    }
    try {
      for (const community of communities)
        await addRunner(deriveQueue(community), width.derive, async () => {
          const wait = await derive(community)
          if (wait !== undefined) await boss.insert(deriveQueue(community), [{ startAfter: wait / 1_000 }])
        })
      for (const lane of ['fast', 'slow'] as const)
        await addRunner(lanes[lane], width[lane], async (data) => {
          const next = await deliver((data as { id: string }).id, lane)
          if (next) await sendWebhooks(boss, [next.webhook], next.wait)
        })
      await sendWebhooks(boss, await listDue(), 0)
    } catch (error) {
      for (const runner of runners.values()) await runner.stop()
      await boss.stop({ graceful: false })
      throw error
    }
    opened = { boss, runners }
  }

  function look(): void {
    for (const runner of opened?.runners.values() ?? []) runner.look()
  }

  async function start(): Promise<void> {
    try {
      await open()
      if (state === 'open') timer = setInterval(look, pollingInterval * 1_000)
    } catch (error) {
      report(error)
      if (state === 'open') timer = setTimeout(() => void start(), retryDelay * 1_000)
    }
  }

  let starting: Promise<void> | undefined
  return {
    /** Opens the queues, and tries again until the database answers. Resolves after the first try. */
    start: () => (starting ??= start()),
    /** Sends the job that derives a community's alerts, unless one waits. */
    async requestDerive(community: string): Promise<void> {
      if (!opened) return
      await opened.boss.send(deriveQueue(community)).catch(report)
      opened.runners.get(deriveQueue(community))?.look()
    },
    /** Sends the jobs that deliver to webhooks, unless they wait; within a transaction if its `query` is given. */
    async requestDeliveries(webhooks: readonly DueWebhook[], query?: Query): Promise<void> {
      // At the start, all webhooks with undelivered alerts get a job.
      if (opened) await sendWebhooks(opened.boss, webhooks, 0, query)
    },
    /** Looks for jobs at once. */
    look,
    /** Ends after the jobs that run. */
    async close(): Promise<void> {
      state = 'closed'
      await starting
      clearTimeout(timer)
      await Promise.all([...(opened?.runners.values() ?? [])].map((runner) => runner.stop()))
      await opened?.boss.stop({ graceful: false }).catch(() => undefined)
    },
  }
}

/** Starts pg-boss, which makes or updates its tables. */
async function startBoss(pool: Pool, onError: (error: unknown) => void): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: 'lineage_jobs',
    schedule: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 60,
    flowIntervalSeconds: 600,
    registerInstance: false,
    openTelemetry: { enabled: false },
  })
  // pg-boss passes a copy of the error, which is no `Error`.
  boss.on('error', (error) => onError(new Error(error.message)))
  boss.on('warning', ({ message }) => console.warn(`Jobs: ${message}`))
  await boss.start()
  return boss
}

async function sendWebhooks(boss: PgBoss, webhooks: readonly DueWebhook[], wait: number, query?: Query) {
  const db = query && {
    executeSql: async (text: string, values: unknown[] = []) => ({ rows: await query(text, values) }),
  }
  for (const lane of ['fast', 'slow'] as const) {
    const jobs = webhooks
      .filter((webhook) => webhook.lane === lane)
      .map(({ id, account }) => ({ data: { id }, singletonKey: id, group: { id: account }, startAfter: wait / 1_000 }))
    if (jobs.length > 0) await boss.insert(lanes[lane], jobs, db && { db })
  }
}

type Runner = {
  run: (data: unknown) => Promise<void>
  look: () => void
  stop: () => Promise<void>
}

type RunnerParameters = Pick<Runner, 'run'> & { queue: string; most: number; report: (error: unknown) => void }

/** Creates the runner of a queue. A job that takes long holds up no other, as pg-boss's own batches of jobs would. */
function createRunner(boss: PgBoss, { queue, most, run, report }: RunnerParameters): Runner {
  /** The jobs that run, by id. */
  const running = new Map<string, Promise<void>>()
  // A job whose process has ended gets no signs of life any more, and is run again.
  const timer = setInterval(() => {
    if (running.size > 0) void boss.touch(queue, [...running.keys()]).catch(report)
  }, signOfLife)

  async function runJob({ id, data }: { id: string; data: unknown }): Promise<void> {
    try {
      await run(data)
      await boss.complete(queue, id)
    } catch (error) {
      report(error)
      // A job whose failure cannot be noted is run again after its time limit.
      await boss.fail(queue, id).catch(() => undefined)
    }
  }

  const round = createRound(async () => {
    if (running.size >= most) return
    const wanted = { batchSize: most - running.size, ...(most > 1 && { groupConcurrency: webhooksPerAccount }) }
    const jobs = await boss.fetch(queue, wanted).catch((error: unknown) => {
      report(error)
      return []
    })
    for (const job of jobs) {
      const work = runJob(job).finally(() => {
        running.delete(job.id)
        round.request()
      })
      running.set(job.id, work)
    }
  })

  return {
    run,
    look: round.request,
    async stop() {
      await round.stop()
      await Promise.all(running.values())
      clearInterval(timer)
    },
  }
}
