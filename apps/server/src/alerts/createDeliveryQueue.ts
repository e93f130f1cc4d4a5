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
  listDue: (which: Which) => Promise<DueWebhookId[]>
  /** Serves a webhook. Returns the milliseconds until it must be served again; `undefined` if it need not be. */
  serve: (webhook: string) => Promise<number | undefined>
  /** Seconds between two checks for jobs that are due. */
  pollingInterval?: number
  /** Seconds until the next try after the database failed. */
  retryDelay?: number
}

/** Seconds between two checks for due webhooks, until this server queues its first one. */
const idleInterval = 60

type Which = 'all' | 'not_failing'

/** The state of the queue. */
type QueueState = Required<DeliveryQueueParameters> & {
  round: ReturnType<typeof createRound>
  /** pg-boss and its workers, from the first webhook on. */
  opening: Promise<{ boss: PgBoss; wake: () => void }> | undefined
  state: 'open' | 'closed'
  /** Starts the next round. */
  timer: NodeJS.Timeout | undefined
  /** The message of the last failure, which is printed once. */
  failure: string | undefined
  /** Webhooks to list in the next round. */
  which: Which
}

/**
 * Creates the queue of webhooks to serve: jobs of pg-boss in the database of accounts, for all servers on it. A webhook has at most
 * one job that runs and one that waits. The job of a process that was killed is run again within half a minute. The tables are made
 * when the first webhook is due.
 */
export function createDeliveryQueue({ pollingInterval = 2, retryDelay = 5, ...parameters }: DeliveryQueueParameters) {
  const queue: QueueState = {
    ...parameters,
    pollingInterval,
    retryDelay,
    round: createRound(() => queueDue(queue)),
    opening: undefined,
    state: 'open',
    timer: undefined,
    failure: undefined,
    // The first round lists all: the last process may have left some undelivered.
    which: 'all',
  }
  return {
    /** Queues the webhooks that have something to get. */
    request: () => queue.round.request(),
    /** Ends after the jobs that run. */
    async close(): Promise<void> {
      queue.state = 'closed'
      clearTimeout(queue.timer)
      await queue.round.stop()
      const opened = await queue.opening?.catch(() => undefined)
      // A database that has failed cannot note the end.
      await opened?.boss.stop({ graceful: true, timeout: 20_000 }).catch(() => undefined)
    },
  }
}

/** Queues the webhooks that are due. After a failure of the database it is tried again. */
async function queueDue(queue: QueueState): Promise<void> {
  const asked = queue.which
  queue.which = 'not_failing'
  const due = await queue.listDue(asked).catch(() => undefined)
  // `/v1/status` tells that the database does not answer.
  if (!due) return requestAllIn(queue, queue.retryDelay)
  if (due.length === 0 && !queue.opening) return requestAllIn(queue, idleInterval)
  try {
    queue.opening ??= open(queue)
    const { boss, wake } = await queue.opening.catch((error: unknown) => {
      queue.opening = undefined
      throw error
    })
    // `upsert` keeps the start time of a waiting job. `insert` would add a second job beside one that is to be retried.
    for (const data of due) await boss.upsert(webhookQueue, data, toJobOptions(data))
    if (due.length > 0) wake()
    queue.failure = undefined
  } catch (error) {
    noteFailure(queue, error)
    requestAllIn(queue, queue.retryDelay)
  }
}

async function open(queue: QueueState): Promise<{ boss: PgBoss; wake: () => void }> {
  const { jobs, serve, pollingInterval, retryDelay } = queue
  const boss = await startJobs({ jobs, retryDelay, onError: (error) => noteFailure(queue, error) })
  const wake = await startWorkers(boss, { serve, pollingInterval, isClosed: () => queue.state === 'closed' })
  await boss.work(sweepQueue, { pollingIntervalSeconds: 30 }, async () => requestAll(queue))
  return { boss, wake }
}

/** Prints a failure once. Where tables are missing, the next round makes them. */
function noteFailure(queue: QueueState, error: unknown): void {
  if (queue.state === 'closed') return
  const message = summarizeError(error).replace(/ \(Queue: .*\)$/, '')
  if (message !== queue.failure) console.error(`Alerts cannot be queued for webhooks: ${message}.`)
  queue.failure = message
  if (!isMissingTable(error)) return
  queue.opening?.then(({ boss }) => stopNow(boss)).catch(() => undefined)
  queue.opening = undefined
  requestAllIn(queue, queue.retryDelay)
}

/** Requests a round that lists all webhooks, also those that are failing. */
function requestAll(queue: QueueState): void {
  queue.which = 'all'
  queue.round.request()
}

function requestAllIn(queue: QueueState, seconds: number): void {
  clearTimeout(queue.timer)
  if (queue.state === 'open') queue.timer = setTimeout(() => requestAll(queue), seconds * 1_000).unref()
}

/** Returns whether PostgreSQL did not find a schema or a table. */
const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '3F000' || error.code === '42P01')

/** Stops pg-boss without waiting for its jobs, and ignores its later errors. */
function stopNow(boss: PgBoss): Promise<void> {
  boss.removeAllListeners('error').on('error', () => undefined)
  return boss.stop({ graceful: false })
}
