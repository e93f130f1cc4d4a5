import type { ForestData } from '../data/forestData.ts'
import type { SnapshotJob, SnapshotTask } from './snapshotJob.ts'

/** Number of changes after which a snapshot is due; in a small forest, a quarter of its size. */
const changesUntilDue = 50_000
const fewestUntilDue = 1000
/** Number of changes that a cut counts as, because it slows down a search more than a newer member. */
const changesPerCut = 8

/** Returns whether enough has changed since the last snapshot to justify the cost of another one. */
export function isSnapshotDue({ aggregates, slots, prefixes }: ForestData): boolean {
  if (aggregates.mode === 'deferred') return true
  const changes = Math.max(slots.newer + slots.cuts.length * changesPerCut, prefixes.newer)
  return changes >= Math.min(changesUntilDue, Math.max(fewestUntilDue, slots.snapshotLength / 4))
}

/** Begins a part of a snapshot. Queries and events may continue until `finish` is called. */
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
