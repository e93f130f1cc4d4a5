import { Worker } from 'node:worker_threads'
import type { Forest, SnapshotJob, SnapshotResult } from './types.ts'

export interface SnapshotsParameters {
  /** The worker's entry, where a bundler has put `@lineage/forest/snapshot-worker` elsewhere than beside this module. */
  worker?: URL | undefined
}

/** Keeps the snapshots of any number of forests fresh. */
export interface Snapshots {
  /**
   * Makes a snapshot if one is due, in a worker, while queries and events go on; forests wait for one another.
   * `fresh`: none was due. `discarded`: a rollback has taken away what it was made of; the next call makes another.
   * Rejects when the worker fails; the forest answers on without it, only slower.
   */
  refresh(forest: Forest): Promise<'fresh' | 'taken' | 'discarded'>
  /** Ends the worker; what it was at is rejected. */
  close(): Promise<void>
}

/**
 * Takes snapshots of forests in a worker thread of its own, which starts with the first that is due.
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
    const started = new Worker(entry ?? besideThis())
    // It must not keep a process alive that is done otherwise.
    started.unref()
    const forget = () => {
      if (worker === started) worker = undefined
    }
    started.once('error', forget).once('exit', forget)
    return started
  }

  function run(job: SnapshotJob): Promise<SnapshotResult> {
    worker ??= start()
    const running = worker
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        running.off('message', onMessage).off('error', onError).off('exit', onExit)
        finish()
      }
      const onMessage = (result: SnapshotResult) => settle(() => resolve(result))
      const onError = (error: Error) => settle(() => reject(error))
      const onExit = () => settle(() => reject(new Error('The snapshot worker has ended.')))
      running.on('message', onMessage).on('error', onError).on('exit', onExit)
      running.postMessage(job, job.part === 'tree' ? [job.input.parent.buffer as ArrayBuffer] : [])
    })
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

/** As TypeScript from source, as JavaScript from a bundle. */
function besideThis(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './snapshotWorker.ts' : './snapshotWorker.js', import.meta.url)
}
