import type { PgBoss } from 'pg-boss'
import type { JobDatabase } from '../database/database.ts'
import { summarizeError } from '../lib/log.ts'
import { createRound } from './createRound.ts'
import { startJobs, sweepQueue, toJobOptions, webhookQueue } from './startJobs.ts'
import { startWorkers } from './startWorkers.ts'
import type { DueWebhookId } from './store/dueWebhook.ts'

export type DeliveryQueueParameters = {
  jobs: JobDatabase
  /** Returns the webhooks that have something to get. */
  listDue: (which: 'all' | 'not_failing') => Promise<DueWebhookId[]>
  /** Serves a webhook. Returns the milliseconds until it must be served again; `undefined` if it need not be. */
  serve: (webhook: string) => Promise<number | undefined>
  /** Seconds between two checks for jobs that are due. */
  pollingInterval?: number
  /** Seconds until the next try after the database failed. */
  retryDelay?: number
}

/** Seconds between two checks for due webhooks, until this server queues its first one. */
const idleInterval = 60

/**
 * Creates the queue of webhooks to serve: jobs of pg-boss in the database of accounts, for all servers on it. A webhook has at most
 * one job that runs and one that waits. The job of a process that was killed is run again within half a minute. The tables are made
 * when the first webhook is due.
 */
export function createDeliveryQueue(parameters: DeliveryQueueParameters) {
  const { jobs, listDue, serve, pollingInterval = 2, retryDelay = 5 } = parameters
  let opening: ReturnType<typeof open> | undefined
  let state: 'open' | 'closed' = 'open'
  let timer: NodeJS.Timeout | undefined
  /** The message of the last failure, which is printed once. */
  let failure: string | undefined
  /** Webhooks to list in the next round. The first round lists all: the last process may have left some undelivered. */
  let which: 'all' | 'not_failing' = 'all'

  async function open() {
    const boss = await startJobs({ jobs, retryDelay, onError })
    const wake = await startWorkers(boss, { serve, pollingInterval, isClosed: () => state === 'closed' })
    await boss.work(sweepQueue, { pollingIntervalSeconds: 30 }, async () => request('all'))
    return { boss, wake }
  }

  const round = createRound(async () => {
    const asked = which
    which = 'not_failing'
    const due = await listDue(asked).catch(() => undefined)
    // `/v1/status` tells that the database does not answer.
    if (!due) return requestIn(retryDelay)
    if (due.length === 0 && !opening) return requestIn(idleInterval)
    try {
      opening ??= open()
      const { boss, wake } = await opening.catch((error: unknown) => {
        opening = undefined
        throw error
      })
      // `upsert` keeps the start time of a waiting job. `insert` would add a second job beside one that is to be retried.
      for (const data of due) await boss.upsert(webhookQueue, data, toJobOptions(data))
      if (due.length > 0) wake()
      failure = undefined
    } catch (error) {
      onError(error)
      requestIn(retryDelay)
    }
  })

  /** Prints a failure once. Where tables are missing, the next round makes them. */
  function onError(error: unknown): void {
    if (state === 'closed') return
    const message = summarizeError(error).replace(/ \(Queue: .*\)$/, '')
    if (message !== failure) console.error(`Alerts cannot be queued for webhooks: ${message}.`)
    failure = message
    if (!isMissingTable(error)) return
    opening?.then(({ boss }) => stopNow(boss)).catch(() => undefined)
    opening = undefined
    requestIn(retryDelay)
  }

  function requestIn(seconds: number): void {
    clearTimeout(timer)
    if (state === 'open') timer = setTimeout(() => request('all'), seconds * 1_000).unref()
  }

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
      const queue = await opening?.catch(() => undefined)
      // A database that has failed cannot note the end.
      await queue?.boss.stop({ graceful: true, timeout: 20_000 }).catch(() => undefined)
    },
  }
}

/** Returns whether PostgreSQL did not find a schema or a table. */
const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '3F000' || error.code === '42P01')

/** Stops pg-boss without waiting for its jobs, and ignores its later errors. */
function stopNow(boss: PgBoss): Promise<void> {
  boss.removeAllListeners('error').on('error', () => undefined)
  return boss.stop({ graceful: false })
}
