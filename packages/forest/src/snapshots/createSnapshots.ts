import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Forest } from '../forest.ts'
import type { SnapshotJob, SnapshotResult } from './snapshotJob.ts'

export interface SnapshotsParameters {
  /** URL of the bundled `@lineage/forest/snapshot-worker`. Default: `snapshotWorker.js` beside this module. */
  worker?: URL | undefined
}

/** Takes snapshots of any number of forests, one after another. */
export interface Snapshots {
  /**
   * Takes a snapshot in the worker if one is due. Queries and events may go on meanwhile. `fresh`: none was due.
   * `discarded`: a rollback removed members of the snapshot; the next call takes another one. Rejects if the worker
   * fails; the forest still answers, but slower.
   */
  refresh(forest: Forest): Promise<'fresh' | 'taken' | 'discarded'>
  /** Ends the worker. A snapshot in progress is rejected. */
  close(): Promise<void>
}

/**
 * Creates one worker thread that takes the snapshots of all forests. The thread starts with the first snapshot that
 * is due.
 *
 * @example
 * const snapshots = createSnapshots()
 * forest.bind(event)
 * snapshots.refresh(forest).catch(log)
 */
export function createSnapshots({ worker: entry }: SnapshotsParameters = {}): Snapshots {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  function start(): Worker {
    const started = new Worker(entry ?? defaultEntry())
    // An idle worker must not keep the process alive.
    started.unref()
    const forget = () => {
      if (worker === started) worker = undefined
    }
    started.once('error', forget).once('exit', forget)
    return started
  }

  async function run(job: SnapshotJob): Promise<SnapshotResult> {
    worker ??= start()
    worker.postMessage(job, job.part === 'tree' ? [job.input.parent.buffer as ArrayBuffer] : [])
    const settled = new AbortController()
    const answer = once(worker, 'message', { signal: settled.signal })
    const end = once(worker, 'exit', { signal: settled.signal }).then(() => {
      throw new Error('The snapshot worker ended before its snapshot was done.')
    })
    const [result] = await Promise.race([answer, end]).finally(() => settled.abort())
    return result
  }

  async function take(forest: Forest): Promise<'fresh' | 'taken' | 'discarded'> {
    if (!forest.isSnapshotDue) return 'fresh'
    for (const part of ['tree', 'addresses'] as const) {
      const { job, finish } = forest.beginSnapshot(part)
      if (!finish(await run(job))) return 'discarded'
    }
    return 'taken'
  }

  return {
    refresh(forest) {
      if (!forest.isSnapshotDue) return Promise.resolve('fresh')
      const next = last.then(() => take(forest))
      last = next.catch(() => {})
      return next
    },
    async close() {
      await worker?.terminate()
    },
  }
}

/** Returns the entry beside this module: TypeScript in the source, JavaScript in a bundle. */
function defaultEntry(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './snapshotWorker.ts' : './snapshotWorker.js', import.meta.url)
}
