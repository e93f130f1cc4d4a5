import { createMissingSchema, findDatabaseFault } from '@lineage/database'
import type { Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { type Query, serverSchemas, summarizeFault } from '../database/database.ts'
import type { DueWebhook, Lane } from './deliveryStore.ts'

export type JobsParameters = {
  pool: Pool
  /** Communities whose alerts this server can derive. */
  communities: readonly string[]
  /** Derives the next alerts of a community. Returns the milliseconds until it must run again, if it must. */
  derive: (community: string) => Promise<number | undefined>
  /** Delivers to a webhook in its lane. Returns the webhook's lane and the milliseconds until its next turn, if any. */
  deliver: (webhook: string, lane: Lane, wait: Wait) => Promise<{ webhook: DueWebhook; wait: number } | undefined>
  /** Lists the webhooks with undelivered alerts, which may have no jobs after a move from another database. */
  listDue: () => Promise<DueWebhook[]>
  /** Seconds between two looks for jobs, which other servers may have sent. */
  pollingInterval?: number
  /** Seconds until a job that failed is run again; they double with each failure, up to an hour. */
  retryDelay?: number
  /** Milliseconds between two signs of life of a job that runs. A job without one for 15 s is run again. */
  signOfLife?: number
}

/**
 * Jobs that a server runs at once: those that work (`busy`), and all, of which the others wait for the answer of a
 * webhook. A job that waits costs a socket and some kilobytes.
 */
const widths = {
  derive: { busy: 1, all: 1 },
  fast: { busy: 64, all: 2_000 },
  slow: { busy: 64, all: 2_000 },
}
type Width = { busy: number; all: number }

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
  const { pollingInterval = 2, retryDelay = 5, signOfLife = 5_000 } = parameters
  let opened: { boss: PgBoss; runners: Map<string, Runner> } | undefined
  let state: 'open' | 'closed' = 'open'
  let timer: NodeJS.Timeout | undefined

  const log = createJobLog(() => state)

  async function open(): Promise<void> {
    const boss = await startBoss(pool, (error) => log.fail('look', error))
    const runners = new Map<string, Runner>()
    const addRunner = async (queue: string, width: Width, run: Runner['run']) => {
      const options = { heartbeatSeconds: 15, deleteAfterSeconds: 60, retryLimit: 1_000_000 }
      const retries = { retryDelay, retryBackoff: true, retryDelayMax: 3_600 }
      await boss.createQueue(queue, { policy: 'stately', ...options, ...retries })
      runners.set(queue, createRunner(boss, { queue, width, run, signOfLife, log }))
    }
    try {
      for (const community of communities)
        await addRunner(deriveQueue(community), widths.derive, async () => {
          const wait = await derive(community)
          if (wait !== undefined) await boss.insert(deriveQueue(community), [{ startAfter: wait / 1_000 }])
        })
      for (const lane of ['fast', 'slow'] as const)
        await addRunner(lanes[lane], widths[lane], async (data, wait) => {
          const next = await deliver((data as { id: string }).id, lane, wait)
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
      log.succeed('start')
      if (state === 'open') timer = setInterval(look, pollingInterval * 1_000)
    } catch (error) {
      log.fail('start', error)
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
      await opened.boss.send(deriveQueue(community)).catch((error: unknown) => log.fail('look', error))
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

type JobLog = ReturnType<typeof createJobLog>

/** Creates the log of the jobs, which says once that they work again: when all work that has failed has succeeded. */
function createJobLog(readState: () => 'open' | 'closed') {
  const failed = new Set<string>()
  return {
    fail(work: string, error: unknown): void {
      if (readState() === 'open') console.error(`The jobs of alerts fail: ${summarizeFault(error)}.`)
      failed.add(work)
    },
    succeed(...works: string[]): void {
      const ended = works.filter((work) => failed.delete(work))
      if (ended.length > 0 && failed.size === 0) console.info('The jobs of alerts work again.')
    },
  }
}

const [, jobSchema] = serverSchemas

/** Starts pg-boss, which makes or updates its tables. */
async function startBoss(pool: Pool, onError: (error: unknown) => void): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss')
  // pg-boss would need the right to create schemas, also for one that exists.
  await pool.query(`select pg_advisory_xact_lock(4361); ${createMissingSchema(jobSchema)}`)
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: jobSchema,
    createSchema: false,
    schedule: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 60,
    flowIntervalSeconds: 600,
    registerInstance: false,
    openTelemetry: { enabled: false },
  })
  // pg-boss passes a copy of the error, which is no `Error`.
  boss.on('error', (error) => onError(new Error(error.message, { cause: error })))
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

/** Waits for something outside, during which a job takes no place of those that work. */
export type Wait = <Result>(work: () => Promise<Result>) => Promise<Result>

type Runner = {
  run: (data: unknown, wait: Wait) => Promise<void>
  look: () => void
  stop: () => Promise<void>
}

type RunnerParameters = Pick<Runner, 'run'> & {
  queue: string
  width: Width
  signOfLife: number
  log: JobLog
}

/** Creates the runner of a queue. A job that takes long holds up no other, as pg-boss's own batches of jobs would. */
function createRunner(boss: PgBoss, { queue, width, run, signOfLife, log }: RunnerParameters): Runner {
  /** The jobs that run, by id, and the number of those that wait for an answer. */
  const running = new Map<string, Promise<void>>()
  let waiting = 0
  // A job whose process has ended gets no signs of life any more, and is run again.
  const timer = setInterval(() => {
    if (running.size > 0) void boss.touch(queue, [...running.keys()]).catch((error: unknown) => log.fail('look', error))
  }, signOfLife)

  const wait: Wait = async (work) => {
    waiting++
    round.request()
    return work().finally(() => waiting--)
  }

  async function runJob({ id, data }: { id: string; data: unknown }): Promise<void> {
    try {
      await run(data, wait)
      await boss.complete(queue, id)
      log.succeed('database', queue)
    } catch (error) {
      // The job may be run again by another server, and this one may run no other of the queue for long.
      log.fail(findDatabaseFault(error) === undefined ? queue : 'database', error)
      // A job whose failure cannot be noted is run again after its time limit.
      await boss.fail(queue, id).catch(() => undefined)
    }
  }

  const round = createRound(async () => {
    const batchSize = Math.min(width.busy - (running.size - waiting), width.all - running.size)
    // Looking for jobs takes as long as running some: with few free places, the end of the next job is soon enough.
    if (batchSize < Math.max(1, width.busy / 4)) return
    const wanted = { batchSize, ...(width.all > 1 && { groupConcurrency: webhooksPerAccount }) }
    const jobs = await boss.fetch(queue, wanted).then(
      (found) => {
        log.succeed('look')
        return found
      },
      (error: unknown) => {
        log.fail('look', error)
        return []
      },
    )
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

/** Runs a function on request, one run at a time. Requests during a run cause one more run after it. */
export function createRound(work: () => Promise<void>) {
  let state: 'idle' | 'running' | 'again' | 'stopped' = 'idle'
  let running: Promise<void> = Promise.resolve()
  async function run(): Promise<void> {
    do {
      state = 'running'
      await work()
    } while (isAgain())
    if (state === 'running') state = 'idle'
  }
  const isAgain = () => state === 'again'
  return {
    request(): void {
      if (state === 'running') state = 'again'
      if (state === 'idle') running = run()
    },
    stop(): Promise<void> {
      state = 'stopped'
      return running
    },
  }
}
