import type { PgBoss, Queue } from 'pg-boss'
import type { JobDatabase } from '../database/database.ts'
import type { DueWebhookId } from './store/dueWebhook.ts'

export type StartJobsParameters = {
  jobs: JobDatabase
  /** Seconds until a job that failed is run again. They double with each failure, up to an hour. */
  retryDelay: number
  /** Is called when a statement fails after the start. */
  onError: (error: unknown) => void
}

/** The queue of webhooks to serve. */
export const webhookQueue = 'webhooks'
/** The queue of the job that looks, each minute, for webhooks that a server could not queue. */
export const sweepQueue = 'webhooks-sweep'
/** The queue of pg-boss for the jobs of schedules, which it would keep for a week. */
const scheduleQueue = '__pgboss__send-it'

const deleteAfterSeconds = 60

/** Identifies the job of a webhook, and the account that it belongs to. */
export const toJobOptions = ({ id, first }: DueWebhookId) => ({ singletonKey: id, group: { id: first } })

/** Starts pg-boss, which makes or updates its tables, and creates the queues. */
export async function startJobs({ jobs, retryDelay, onError }: StartJobsParameters): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => ({ rows: await jobs.execute(text, values) }) },
    backend: jobs.kind === 'embedded' ? 'pglite' : 'postgres',
    schema: 'lineage_jobs',
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 60,
    cronWorkerIntervalSeconds: 30,
    flowIntervalSeconds: 600,
    registerInstance: false,
    openTelemetry: { enabled: false },
  })
  let isStarted = false
  // pg-boss passes a copy of the error, which is no `Error`.
  boss.on('error', (error) => isStarted && onError(Object.assign(new Error(error.message), error)))
  boss.on('warning', ({ message }) => console.warn(`Jobs: ${message}`))
  try {
    await boss.start()
    const dead = { heartbeatSeconds: 20, expireInSeconds: 60, deleteAfterSeconds }
    const retries = { retryLimit: 1_000, retryDelay, retryBackoff: true, retryDelayMax: 3_600 }
    await createQueue(boss, webhookQueue, 'stately', { ...dead, ...retries })
    await createQueue(boss, sweepQueue, 'exclusive', dead)
    await boss.updateQueue(scheduleQueue, { deleteAfterSeconds })
    await boss.schedule(sweepQueue, '* * * * *')
    isStarted = true
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw error
  }
}

/** Creates a queue. One that exists gets these options. */
async function createQueue(boss: PgBoss, name: string, policy: string, options: Omit<Queue, 'name' | 'policy'>) {
  await boss.createQueue(name, { policy, ...options })
  await boss.updateQueue(name, options)
}
