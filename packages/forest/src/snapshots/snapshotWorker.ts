import { parentPort } from 'node:worker_threads'
import { buffersOf } from '../data/snapshot.ts'
import { runSnapshotJob, type SnapshotJob } from './snapshotJob.ts'

// The entry of the worker thread: answers each job in turn.
parentPort?.on('message', (job: SnapshotJob) => {
  const result = runSnapshotJob(job)
  const buffers = result.part === 'tree' ? buffersOf(result.snapshot) : [result.sorted.buffer as ArrayBuffer]
  parentPort?.postMessage(result, buffers)
})
