import { parentPort } from 'node:worker_threads'
import { buffersOf } from './snapshot.ts'
import { runSnapshotJob } from './snapshotJob.ts'
import type { SnapshotJob } from './types.ts'

/** The entry of the worker: one answer for each job, in their order. */
parentPort?.on('message', (job: SnapshotJob) => {
  const result = runSnapshotJob(job)
  parentPort?.postMessage(
    result,
    result.part === 'tree' ? buffersOf(result.snapshot) : [result.sorted.buffer as ArrayBuffer],
  )
})
