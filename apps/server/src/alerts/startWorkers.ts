import type { PgBoss } from 'pg-boss'
import { toJobOptions, webhookQueue } from './startJobs.ts'
import type { DueWebhookId } from './store/dueWebhook.ts'

export type StartWorkersParameters = {
  /** Serves a webhook. Returns the milliseconds until it must be served again; `undefined` if it need not be. */
  serve: (webhook: string) => Promise<number | undefined>
  /** Seconds between two checks for jobs that are due. */
  pollingInterval: number
  isClosed: () => boolean
}

/** Webhooks that a server serves at once. */
const workers = 4
/** Seconds between two checks of the other workers. If there are jobs, they are woken earlier. */
const longInterval = 30

/**
 * Starts the workers. They serve at most one webhook of an account at a time. Returns a function that makes them check
 * for jobs at once.
 */
export async function startWorkers(boss: PgBoss, { serve, pollingInterval, isClosed }: StartWorkersParameters) {
  /** Accounts that are served. */
  const busy = new Set<string>()
  /** Ids of workers without a job. */
  const idle = new Set<string>()
  /** Lets a worker look for a job. If it finds one, it wakes the next. */
  const wake = () => {
    const [id] = idle
    if (id !== undefined && !isClosed()) boss.notifyWorker(id)
  }

  async function run({ id, first }: DueWebhookId): Promise<number | undefined> {
    // Workers that look at the same moment may get jobs of one account.
    if (busy.has(first)) return 0
    busy.add(first)
    try {
      const wait = await serve(id)
      // This server is stopping and must not take the job again: another server, or the next start, takes it.
      return wait !== undefined && isClosed() ? Math.max(wait, 2_000) : wait
    } finally {
      busy.delete(first)
    }
  }

  for (let index = 0; index < workers; index++) {
    const pollingIntervalSeconds = index === 0 ? pollingInterval : longInterval
    const options = { pollingIntervalSeconds, groupConcurrency: 1 }
    const worker = await boss.work<DueWebhookId>(webhookQueue, options, async ([job]) => {
      if (!job) return
      idle.delete(worker)
      wake()
      try {
        const wait = await run(job.data)
        if (wait !== undefined)
          await boss.upsert(webhookQueue, job.data, { ...toJobOptions(job.data), startAfter: wait / 1_000 })
      } finally {
        idle.add(worker)
        // There may be more jobs, also of this account.
        if (!isClosed()) boss.notifyWorker(worker)
      }
    })
    idle.add(worker)
  }
  return wake
}
