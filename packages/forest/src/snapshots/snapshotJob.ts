import { sortAddresses } from '../addresses/sortAddresses.ts'
import { buildSnapshot, type Snapshot, type SnapshotInput } from '../data/snapshot.ts'

export type SnapshotJob =
  | { part: 'tree'; input: SnapshotInput }
  | { part: 'addresses'; words: Uint32Array; length: number }

export type SnapshotResult = { part: 'tree'; snapshot: Snapshot } | { part: 'addresses'; sorted: Uint32Array }

/** A part of a snapshot made by a worker: post `job` to it and pass its answer to `finish`. */
export interface SnapshotTask {
  job: SnapshotJob
  /** Installs the answer. Returns `false` without a change if it is out of date. */
  finish(result: SnapshotResult): boolean
}

/** Computes one part of a snapshot, in a worker or in place. */
export function runSnapshotJob(job: SnapshotJob): SnapshotResult {
  return job.part === 'tree'
    ? { part: 'tree', snapshot: buildSnapshot(job.input) }
    : { part: 'addresses', sorted: sortAddresses(job.words, job.length) }
}
