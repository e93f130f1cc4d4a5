import type { ForestData } from './forestData.ts'
import type { SnapshotJob, SnapshotTask } from './snapshotJob.ts'

/** Changes after which a snapshot is due; in a small forest, a quarter of its size. */
const changesUntilDue = 50_000
const fewestUntilDue = 1000
/** A cut slows a search down more than a newer member. */
const changesPerCut = 8

/** Returns whether so much has changed since the last snapshot that another one is worth its cost. */
export function isSnapshotDue({ aggregates, slots, prefixes }: ForestData): boolean {
  if (aggregates.mode === 'deferred') return true
  const changes = Math.max(slots.newer + slots.cuts.length * changesPerCut, prefixes.newer)
  return changes >= Math.min(changesUntilDue, Math.max(fewestUntilDue, slots.snapshotLength / 4))
}

/** Begins a part of a snapshot. Queries and events may go on until its `finish`. */
export function beginSnapshot(data: ForestData, part: SnapshotJob['part']): SnapshotTask {
  const { aggregates, slots, addresses, prefixes } = data
  if (part === 'addresses') {
    const { removals } = prefixes
    return {
      job: { part, words: addresses.words, length: addresses.length },
      finish(result) {
        if (result.part !== part || prefixes.removals !== removals) return false
        prefixes.install(result.sorted)
        return true
      },
    }
  }
  aggregates.ensureCurrent()
  const changes = slots.recordChanges()
  return {
    job: { part, input: slots.snapshotInput() },
    finish(result) {
      if (result.part !== part || slots.changes !== changes) return false
      slots.install(result.snapshot, changes)
      return true
    },
  }
}
