import { sortAddresses } from './addressOrder.ts'
import { buildSnapshot } from './snapshot.ts'
import type { SnapshotJob, SnapshotResult } from './types.ts'

/** Does the work of a snapshot, in a worker or in place. */
export function runSnapshotJob(job: SnapshotJob): SnapshotResult {
  return job.part === 'tree'
    ? { part: 'tree', snapshot: buildSnapshot(job.input) }
    : { part: 'addresses', sorted: sortAddresses(job.words, job.length) }
}
