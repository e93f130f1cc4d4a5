import { Worker } from 'node:worker_threads'
import { type Claim, claimDirectory, holdsOtherFiles } from '@lineage/embedded-database'
import type { Database } from './database.ts'
import type { WorkerData, WorkerReply, WorkerRequest } from './embeddedWorker.ts'

const statementsBetweenVacuums = 5_000

/**
 * Opens PGlite in its own thread, and creates its folder if there is none. `null` keeps the database in memory.
 *
 * @throws {DirectoryInUseError}
 * @throws {Error} If the folder holds other files, or is a file.
 */
export async function openEmbedded(directory: string | null): Promise<Database> {
  if (directory !== null && holdsOtherFiles(directory))
    throw new Error(`${directory} holds something else. Set LINEAGE_ACCOUNTS_DIR to a folder of its own`)
  const claim = directory === null ? undefined : await claimAlone(directory)
  const workerData: WorkerData = { directory, isNew: claim?.left === 'empty' }
  const worker = new Worker(new URL('./embeddedWorker.ts', import.meta.url), { workerData })
  if (claim) worker.once('exit', claim.release)
  const { ask, isOpen } = connect(worker)
  const exclusively = createQueue()

  let statements = 0
  const query = (text: string, values: readonly unknown[]) => {
    // PGlite has no process that makes room of deleted rows.
    if (++statements % statementsBetweenVacuums === 0) exclusively(() => run('vacuum')).catch(() => undefined)
    return ask({ kind: 'query', text, values })
  }
  const run = async (text: string) => void (await ask({ kind: 'run', text }))
  if (directory !== null)
    await keepLogSmall(run).catch(async (error: unknown) => {
      await worker.terminate()
      throw error
    })
  return {
    query: (text, values) => exclusively(() => query(text, values)),
    transaction: (work) =>
      exclusively(async () => {
        await run('begin')
        try {
          await work(query)
          await run('commit')
        } catch (error) {
          await run('rollback')
          throw error
        }
      }),
    run: (text) => exclusively(() => run(text)),
    execute: (text, values) =>
      exclusively(async () => {
        try {
          return await (values?.length ? query(text, values) : ask({ kind: 'run', text }))
        } catch (error) {
          // The statements may have begun a transaction.
          await run('rollback').catch(() => undefined)
          throw error
        }
      }),
    erase: (table) => exclusively(() => erase(run, table)),
    isOpen,
    close: async () => {
      await exclusively(() => ask({ kind: 'close' }))
      await worker.terminate()
    },
  }
}

/** Claims the folder; ends this process if another one has claimed it after it was deleted. */
function claimAlone(directory: string): Promise<Claim> {
  return claimDirectory(directory, (holder) => {
    // A deleted folder harms only the next start; two processes in one folder damage it.
    if (holder === undefined) return
    console.error(`${directory} was opened by process ${holder} after it had been deleted. This process ends.`)
    process.exit(75)
  })
}

type Run = (text: string) => Promise<void>

/**
 * Limits the write-ahead log to a few MB instead of 80, and deletes its old files instead of recycling them with
 * their content. The sizes apply from the next opening.
 */
async function keepLogSmall(run: Run): Promise<void> {
  // One statement each, because ALTER SYSTEM does not run in a transaction.
  for (const setting of ["min_wal_size = '2MB'", "max_wal_size = '8MB'", 'wal_recycle = off'])
    await run(`alter system set ${setting}`)
  await run('set wal_recycle = off')
}

/** Rewrites a table and removes the log so far, because old pages and the log hold the deleted rows. */
async function erase(run: Run, table: string): Promise<void> {
  await run(`vacuum full ${table}`)
  await run('select pg_switch_wal()')
  await run('checkpoint')
}

/** `WorkerRequest` without its id. */
type Order = {
  [Kind in WorkerRequest['kind']]: Omit<Extract<WorkerRequest, { kind: Kind }>, 'id'>
}[WorkerRequest['kind']]
type Waiting = { resolve: (rows: Record<string, unknown>[]) => void; reject: (error: Error) => void }

/**
 * Returns `ask`, which sends a request to the thread and returns its rows. The thread keeps the process running only
 * while a request is open.
 */
function connect(worker: Worker) {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let ended: Error | undefined
  worker.unref()
  worker.on('message', (reply: WorkerReply) => {
    const asked = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (waiting.size === 0) worker.unref()
    if (reply.status === 'done') asked?.resolve(reply.rows)
    else asked?.reject(Object.assign(new Error(reply.message), { code: reply.code }))
  })
  const end = (error: Error) => {
    ended = error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', (error) => end(error as Error))
  worker.on('exit', () => end(new Error('The embedded database has ended.')))

  const ask = (order: Order): Promise<Record<string, unknown>[]> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended)
      lastId++
      waiting.set(lastId, { resolve, reject })
      worker.ref()
      worker.postMessage({ ...order, id: lastId })
    })
  return { ask, isOpen: () => ended === undefined }
}

/** Returns a function that runs tasks one after the other. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
