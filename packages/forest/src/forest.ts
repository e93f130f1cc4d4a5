import { ForestData } from './data/forestData.ts'
import { EventWriter } from './events/eventWriter.ts'
import { createQueries } from './queries/createQueries.ts'
import { runSnapshotJob, type SnapshotJob, type SnapshotTask } from './snapshots/snapshotJob.ts'
import { defaultTuning, type Tuning } from './tuning.ts'
import type { AmountEvent, BindEvent, ForestEvent, ForestMemory, ForestParameters, Hold, Moment } from './types.ts'

/** The referral forest of one community. */
export type Forest = ReturnType<typeof createForest>

/**
 * Creates an empty forest for the events of one community.
 *
 * @example
 * const forest = createForest()
 * forest.bind({ block: 1, logIndex: 0, timestamp: 1_700_000_000, member: '0x…b2', referrer: '0x…a1' }) // 'bound'
 * const id = forest.find('0x…a1')
 * if (id !== undefined) forest.member(id).team // 1
 */
export function createForest(parameters: ForestParameters = {}, tuning: Tuning = defaultTuning) {
  const data = new ForestData(parameters.rebind ?? false, tuning)
  const { nodes, aggregates, irregularBinds } = data
  const writer = new EventWriter(data, parameters)
  return {
    /** Adds a bind and returns its status. `bound` adds an edge or a root. */
    bind: (event: BindEvent) => writer.bind(event),
    addVolume: (event: AmountEvent) => writer.addAmount('volume', event),
    addReward: (event: AmountEvent) => writer.addAmount('reward', event),
    /** Adds an event of any kind. */
    add: (event: ForestEvent) => writer.addEvent(event),
    /** Adds many events, but computes teams and volumes only once, at the next query. */
    load: (events: Iterable<ForestEvent>) => writer.load(events),
    /** Undoes all events above `toBlock`. Throws `RollbackError` below the committed block. */
    rollback: (toBlock: number) => writer.rollback(toBlock),
    /** Makes blocks up to `block` final: their events, even those added later, can no longer be rolled back. */
    commit: (block: number) => writer.commit(block),
    ...createQueries(data),
    /**
     * Keeps the present state for a reader of the whole forest, until `release`. It ends early when too many members have changed
     * since, and with a rollback below it.
     */
    hold(): Hold {
      aggregates.ensureCurrent()
      return data.holds.begin(data.version, writer.newestBlock)
    },
    release: (hold: Hold) => data.holds.end(hold),
    /** Takes a snapshot in place, which keeps queries about large teams fast. `createSnapshots` takes it in a worker. */
    takeSnapshot() {
      aggregates.defer()
      aggregates.ensureCurrent()
      const { job, finish } = beginSnapshot(data, 'addresses')
      finish(runSnapshotJob(job))
    },
    /** `true` when enough has changed since the last snapshot to justify the cost of another one. */
    get isSnapshotDue() {
      return isSnapshotDue(data)
    },
    /** Begins a part of a snapshot for a worker. Queries and events may continue meanwhile. */
    beginSnapshot: (part: SnapshotJob['part']) => beginSnapshot(data, part),

    get memory() {
      return memoryOf(data)
    },
    get counts() {
      const { members, placeholders, roots } = nodes
      return { members, placeholders, roots, ...irregularBinds.counts }
    },
    /** Number of members and placeholders. */
    get size() {
      return nodes.members + nodes.placeholders
    },
    /** Increases with every change, so that callers can cache answers by it. */
    get version() {
      return data.version
    },
    /** Unix seconds of the first bind that counts; `undefined` before that, and 0 while a member has no date. */
    get startedAt(): number | undefined {
      if (nodes.undated.length > 0) return 0
      return nodes.members === 0 ? undefined : nodes.joinedAt[nodes.joinOrder[0] as number]
    },
    /** Returns whether something changed after a moment, up to and including another one, which may be of the other kind. */
    hasEvent: (after: Moment, until: Moment) => data.timeline.hasEvent(after, until),
    /** Newest committed block; -1 before the first commit. */
    get finalBlock() {
      return writer.journal.finalBlock
    },
  }
}

/** Returns the memory of a forest by part, in bytes. */
function memoryOf({
  nodes,
  slots,
  addresses,
  prefixes,
  timeline,
  amounts,
  amountBlocks,
  unowned,
  irregularBinds,
  moves,
}: ForestData): ForestMemory {
  const parts = {
    nodes: nodes.bytes,
    ...addresses.bytes,
    order: prefixes.bytes,
    ...slots.bytes,
    ownVolume: nodes.ownVolume.bytes,
    rewards: nodes.rewards.bytes,
    timeline: timeline.bytes,
    amounts: amounts.bytes + unowned.bytes,
    amountBlocks: amountBlocks.bytes,
    irregularBinds: irregularBinds.bytes,
    moves: moves.bytes,
  }
  const total = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)
  return { ...parts, total, perMember: total / Math.max(1, nodes.length) }
}

/** Number of changes after which a snapshot is due; in a small forest, a quarter of its size. */
const changesUntilDue = 50_000
const fewestUntilDue = 1000
/** Number of changes that a cut counts as, because it slows down a search more than a newer member. */
const changesPerCut = 8

/** Returns whether enough has changed since the last snapshot to justify the cost of another one. */
function isSnapshotDue({ aggregates, slots, prefixes }: ForestData): boolean {
  if (aggregates.mode === 'deferred') return true
  const changes = Math.max(slots.newer + slots.cuts.length * changesPerCut, prefixes.newer)
  return changes >= Math.min(changesUntilDue, Math.max(fewestUntilDue, slots.snapshotLength / 4))
}

/** Begins a part of a snapshot. Queries and events may continue until `finish` is called. */
function beginSnapshot(data: ForestData, part: SnapshotJob['part']): SnapshotTask {
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
