import type { PgBoss } from 'pg-boss'
import type { JobDatabase } from '../accounts/database.ts'
import { describeError } from '../log.ts'
import type { DueWebhookId } from './alertStore.ts'
import { createRound } from './createRound.ts'

export type DeliveryQueueParameters = {
  jobs: JobDatabase
  /** Returns the webhooks that have something to get. */
  listDue: (which: 'all' | 'not_failing') => Promise<DueWebhookId[]>
  /** Serves a webhook. Returns the milliseconds after which it is to be served again, if it is. */
  serve: (webhook: string) => Promise<number | undefined>
  /** Seconds between two looks for jobs whose time has come. */
  pollingInterval?: number
  /** Seconds after which the database is asked again when it has failed. */
  retryDelay?: number
}

const queue = 'webhooks'
/** The queue of the job that looks, each minute, for webhooks that a server could not queue. */
const sweep = 'webhooks-sweep'
/** Webhooks that a server serves at once. */
const workers = 4

/**
 * Creates the queue of webhooks to serve: jobs of pg-boss in the database of accounts, for all servers on it. A webhook has at most
 * one job that runs and one that waits, and an account one that runs. The job of a process that was killed is run again within half
 * a minute.
 */
export function createDeliveryQueue(parameters: DeliveryQueueParameters) {
  const { jobs, listDue, serve, pollingInterval = 2, retryDelay = 5 } = parameters
  let opening: Promise<PgBoss> | undefined
  let ids: string[] = []
  let state: 'open' | 'closed' = 'open'
  let timer: NodeJS.Timeout | undefined
  /** The last message of a start that failed, which is printed once. */
  let failure: string | undefined
  /** Webhooks to list in the next round. The first round lists all, for those that the last process left. */
  let which: 'all' | 'not_failing' = 'all'

  const open = () => {
    opening ??= startBoss(jobs, retryDelay)
      .then(async (boss) => {
        ids = await Promise.all(Array.from({ length: workers }, () => startWorker(boss)))
        await boss.work(sweep, { pollingIntervalSeconds: 30 }, async () => request('all'))
        return boss
      })
      .catch((error: unknown) => {
        opening = undefined
        const message = describeError(error)
        if (message !== failure) console.error(`Alerts cannot be queued for webhooks: ${message}.`)
        failure = message
        throw error
      })
    return opening
  }

  const startWorker = (boss: PgBoss): Promise<string> => {
    const options = { pollingIntervalSeconds: pollingInterval, groupConcurrency: 1 }
    return boss.work<DueWebhookId>(queue, options, async ([job]) => {
      if (!job) return
      const wait = await serve(job.data.id)
      if (wait !== undefined) await boss.upsert(queue, job.data, { ...toOptions(job.data), startAfter: wait / 1_000 })
      // There may be more jobs, also of this account.
      for (const id of ids) boss.notifyWorker(id)
    })
  }

  const round = createRound(async () => {
    const asked = which
    which = 'not_failing'
    try {
      // A database that does not answer fails here, which `/v1/status` tells.
      const due = await listDue(asked)
      const boss = await open()
      if (due.length > 0) {
        // Keeps the time of a job that waits for the next try, which `insert` would not know beside a job to be retried.
        for (const data of due) await boss.upsert(queue, data, toOptions(data))
        for (const id of ids) boss.notifyWorker(id)
      }
    } catch {
      if (state === 'closed') return
      clearTimeout(timer)
      timer = setTimeout(() => request('all'), retryDelay * 1_000).unref()
    }
  })

  function request(asked: 'all' | 'not_failing' = 'not_failing'): void {
    if (asked === 'all') which = 'all'
    round.request()
  }

  return {
    /** Queues the webhooks that have something to get. */
    request: () => request(),
    /** Ends after the jobs that run. */
    async close(): Promise<void> {
      state = 'closed'
      clearTimeout(timer)
      await round.stop()
      const boss = await opening?.catch(() => undefined)
      // A database that has failed cannot note the end.
      await boss?.stop({ graceful: true, timeout: 20_000 }).catch(() => undefined)
    },
  }
}

const toOptions = ({ id, first }: DueWebhookId) => ({ singletonKey: id, group: { id: first } })

/** Starts pg-boss, which makes or updates its tables. */
async function startBoss({ kind, execute }: JobDatabase, retryDelay: number): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => ({ rows: await execute(text, values) }) },
    backend: kind === 'embedded' ? 'pglite' : 'postgres',
    schema: 'lineage_jobs',
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 60,
    registerInstance: false,
    openTelemetry: { enabled: false },
  })
  // `/v1/status` tells that the database of accounts fails.
  boss.on('error', () => undefined)
  boss.on('warning', ({ message }) => console.warn(`Jobs: ${message}`))
  try {
    await boss.start()
    const deleteAfterSeconds = 60
    const retries = { retryLimit: 1_000, retryDelay, retryBackoff: true, retryDelayMax: 3_600 }
    const dead = { heartbeatSeconds: 20, expireInSeconds: 60 }
    await boss.createQueue(queue, { policy: 'stately', ...dead, ...retries, deleteAfterSeconds })
    await boss.createQueue(sweep, { policy: 'exclusive', ...dead, deleteAfterSeconds })
    await boss.schedule(sweep, '* * * * *')
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw error
  }
}
