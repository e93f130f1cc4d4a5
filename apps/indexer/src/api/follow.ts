import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createForest, type Forest, type ForestEvent, type Snapshots } from '@lineage/forest'
import type { AsOf, Progress, Status } from '@lineage/referral-api'
import type { Address, Hash } from 'viem'
import type { Community } from '../../config/index.ts'
import { repeat } from './repeat.ts'

export type Position = { block: number; logIndex: number }

/** A row of the tables. */
export type EventRow = Position & {
  community: string
  blockHash: Hash
  timestamp: number
  member: Address
} & ({ kind: 'bind'; referrer: Address } | { kind: 'volume' | 'reward'; amount: bigint })

/** A bind with its transaction. */
export type BindRow = Position & { timestamp: number; tx: Hash; member: Address; referrer: Address }

type Checkpoint = {
  block: number
  timestamp: number
  finalizedBlock: number
  /** Of the blocks that were final at start; those above follow. */
  backfill: 'running' | 'complete'
}

export type Tables = {
  /** Of one moment: the checkpoint, what stands from `final` to `applied`, and at most `limit` rows after that. */
  read(
    final: Position,
    applied: Position,
    limit: number,
  ): Promise<{
    checkpoint: Checkpoint | undefined
    /** How many rows, and the MD5 of their blocks' hashes, each once, in order. */
    tail: { count: number; digest: string }
    /** In log order. */
    rows: EventRow[]
  }>
  /** All events of final blocks after a position and up to a block, by community and in log order. */
  readFinal(range: { after: Position; upTo: number }): Promise<ReadonlyMap<string, Iterable<ForestEvent>>>
  /** The transactions of binds, in the order asked for. */
  findTxs(community: string, positions: readonly Position[]): Promise<(Hash | null)[]>
  /** The newest binds up to a block, and before a position, whatever became of them. */
  readBinds(
    community: string,
    range: { block: number; before: Position | undefined },
    limit: number,
  ): Promise<BindRow[]>
}

/** What lookups are answered from. Everything in it belongs to one moment, until the next await. */
export type View = { asOf: AsOf; forests: ReadonlyMap<string, Forest>; version: number }

export type FollowParameters = {
  communities: readonly Community[]
  tables: Tables
  /** Asks the node for its newest block. */
  headBlock: () => Promise<number>
  log?: (message: string) => void
  /** Keeps lookups of large teams fast; without it the forests keep the snapshot of the start. */
  snapshots?: Pick<Snapshots, 'refresh'>
  /** Most rows read at once. */
  limit?: number
}

/** How far it has come; what else a person should know is added by those who know it. */
type FollowStatus = Omit<Status, 'warnings' | 'spotChecks'>

export type Follow = ReturnType<typeof createFollow>

const pollInterval = 100
const headInterval = 2_000
/** Blocks read at first; as many as hold what is read at once, from then on. */
const firstPiece = 1_000
/** After every log of a block. */
export const lastLog = 2 ** 31 - 1

/**
 * Keeps one forest a community in step with the tables. Rows of blocks that are not final are compared at every read;
 * where they differ, the forests are rolled back to the fork and the new rows follow.
 *
 * @example
 * const follow = createFollow({ communities, tables, headBlock })
 * follow.start()
 * follow.view()?.forests.get('demo')?.size
 */
export function createFollow({
  communities,
  tables,
  headBlock,
  log = () => {},
  snapshots,
  limit: firstLimit = 50_000,
}: FollowParameters) {
  let limit = firstLimit
  const startBlock = Math.min(...communities.map((community) => community.startBlock))
  let replica = createReplica(communities)
  let view: View | undefined
  let version = 0
  let checkpoint: Checkpoint | undefined
  let head: number | undefined
  /** Up to this block everything is in the forests. */
  let reached = startBlock
  /** The block that must be in before the first answer. */
  let target: number | undefined

  async function pollHead(): Promise<void> {
    head = await headBlock()
    // A node that spoke of blocks that do not exist must not keep everybody waiting for them.
    if (target !== undefined) target = Math.min(target, head)
  }

  /** Before the first answer: what is final, in pieces of about `limit` events, the next read while one is added. */
  async function loadFinal(): Promise<void> {
    const { checkpoint: now } = await tables.read(replica.final, replica.applied, 0)
    if (!now || replica.applied !== replica.final) return
    checkpoint = now
    // While the tables are being filled, the newest block may lack some of its events.
    const whole = now.backfill === 'running' ? now.block - 1 : now.block
    const end = Math.min(whole, now.finalizedBlock)
    let size = firstPiece
    const readAfter = (after: Position) => {
      const upTo = Math.min(Math.max(after.block, startBlock - 1) + size, end)
      const reading = tables.readFinal({ after, upTo })
      // Awaited after the piece before it: without this, a failure before that would count as unhandled.
      reading.catch(() => undefined)
      return { upTo, reading }
    }
    let next = replica.final.block < end ? readAfter(replica.final) : undefined
    while (next) {
      const { upTo, reading } = next
      const events = await reading
      next = upTo < end ? readAfter({ block: upTo, logIndex: lastLog }) : undefined
      // The driver sends a statement a moment later: it must be on its way before this thread is busy.
      await setImmediate()
      const added = replica.load(events, upTo)
      size = Math.max(1, Math.min(size * 4, Math.floor((size * limit) / Math.max(added, 1))))
      reached = upTo
    }
  }

  /** Reads once; resolves to how the forests stand to the tables now. */
  async function poll(): Promise<'behind' | 'level'> {
    try {
      if (view?.forests !== replica.forests) await loadFinal()
    } catch (error) {
      replica = createReplica(communities)
      throw error
    }
    let read = await tables.read(replica.final, replica.applied, limit)
    const isReorg = !replica.holds(read.tail)
    if (isReorg) read = await tables.read(replica.final, replica.final, limit)
    const now = read.checkpoint
    checkpoint = now
    if (!now) return 'level'
    // The tables are being filled: what is whole of them has been loaded above. Where whoever fills them has started
    // again and taken back what was not final, what was answered stays until it is there.
    if (now.backfill === 'running') return 'level'
    if (target === undefined) {
      await pollHead()
      target = head
    }

    // An answer at a block holds all of it and nothing newer, whatever the tables hold already. A full read may end in
    // the middle of its last block.
    const upTo = read.rows.filter((row) => row.block <= now.block)
    const cut = upTo.length === limit ? upTo.at(-1)?.block : undefined
    const rows = upTo.filter((row) => row.block !== cut)
    const newest = cut === undefined ? now : rows.at(-1)
    if (!newest) {
      limit *= 2
      return 'behind'
    }
    const { block, timestamp } = newest
    const finalizedBlock = Math.min(now.finalizedBlock, block)
    try {
      const fresh = isReorg ? replica.rollback(rows) : rows
      replica.append(fresh, finalizedBlock)
    } catch (error) {
      replica = createReplica(communities)
      throw error
    }
    const changed = isReorg || rows.length > 0

    const standing = cut === undefined ? 'level' : 'behind'
    reached = block
    // Forests that are not answered from yet wait for everything.
    const isNew = view?.forests !== replica.forests
    if (isNew && standing === 'behind') return standing
    if (!view && (target === undefined || block < target)) return standing
    if (changed || isNew || view?.asOf.block !== block || view.asOf.finalizedBlock !== finalizedBlock) {
      refreshSnapshots()
      if (!view) log(`Ready at block ${block}.`)
      view = { asOf: { block, timestamp, finalizedBlock }, forests: replica.forests, version: ++version }
    }
    return standing
  }

  /** The first is taken before anybody asks; the next ones in a worker, while everybody does. */
  function refreshSnapshots(): void {
    for (const forest of replica.forests.values()) {
      if (view?.forests !== replica.forests) {
        if (forest.isSnapshotDue) forest.takeSnapshot()
      } else
        snapshots?.refresh(forest).catch((error: unknown) => {
          log(
            `No snapshot of a community, lookups grow slower: ${error instanceof Error ? error.message : String(error)}`,
          )
        })
    }
  }

  function status(): FollowStatus {
    const headBlock = head === undefined && !checkpoint ? null : Math.max(head ?? 0, checkpoint?.block ?? 0)
    if (view) return { state: 'ready', progress: null, asOf: view.asOf, headBlock, note: null }
    const progress = progressNow()
    return {
      state: progress.phase === 'starting' ? 'starting' : 'indexing',
      progress,
      asOf: null,
      headBlock,
      note: null,
    }
  }

  function progressNow(): Progress {
    if (!checkpoint) return { phase: 'starting', done: 0, total: 0 }
    const { block, backfill } = checkpoint
    const phase = backfill === 'complete' && reached < block ? 'loading' : 'indexing'
    const total = Math.max((target ?? head ?? block) - startBlock, 0)
    const done = Math.max((phase === 'loading' ? reached : block) - startBlock, 0)
    return { phase, done: Math.min(done, total), total }
  }

  return {
    poll,
    pollHead,
    status,
    /** `undefined` until everything up to the newest block at start is in. */
    view: () => view,
    /** Follows until the process ends. A database or node that does not answer leaves the last answers standing. */
    start() {
      repeat('The tables cannot be read', log, async () => ((await poll()) === 'behind' ? 0 : pollInterval))
      repeat('The node cannot be asked for its newest block', log, async () => {
        await pollHead()
        return headInterval
      })
    },
  }
}

/** Forests, and how much of the tables is in them. */
function createReplica(communities: readonly Community[]) {
  const forests = new Map(
    communities.map(({ id, roots, rebind }) => [id, createForest({ sentinels: roots, rebind: rebind === 'last' })]),
  )
  /** Everything up to here is in and final. */
  let final: Position = { block: -1, logIndex: -1 }
  /** What is in and not yet final. */
  let tail: EventRow[] = []
  let digest = digestOf(tail)

  return {
    forests,
    get final() {
      return final
    },
    get applied() {
      return tail.at(-1) ?? final
    },
    /** Whether the tables have in them what is in here and not yet final. */
    holds: ({ count, digest: found }: { count: number; digest: string }) => count === tail.length && found === digest,
    /** Goes back to where these rows, all after `final`, part from those that are in; the rest of them is to come. */
    rollback(rows: readonly EventRow[]): readonly EventRow[] {
      let same = 0
      while (same < tail.length && isSameRow(tail[same], rows[same])) same++
      const fork = Math.min(
        tail[same]?.block ?? Number.POSITIVE_INFINITY,
        rows[same]?.block ?? Number.POSITIVE_INFINITY,
      )
      const kept = tail.filter((row) => row.block < fork)
      if (kept.length < tail.length) for (const forest of forests.values()) forest.rollback(fork - 1)
      tail = kept
      return rows.slice(kept.length)
    },
    /** Adds all final events up to a block, and answers how many. */
    load(events: ReadonlyMap<string, Iterable<ForestEvent>>, upTo: number): number {
      let added = 0
      for (const [id, forest] of forests) {
        if (forest.finalBlock < upTo) forest.commit(upTo)
        const before = forest.version
        forest.load(events.get(id) ?? [])
        added += forest.version - before
      }
      final = { block: upTo, logIndex: lastLog }
      return added
    },
    /** Runs to its end without a pause, so that nobody sees half of it. */
    append(rows: readonly EventRow[], finalizedBlock: number): void {
      // What is final is not remembered for a rollback: said first, it spares a long load that memory.
      for (const forest of forests.values()) if (forest.finalBlock < finalizedBlock) forest.commit(finalizedBlock)
      for (const row of rows) addTo(forests, row)
      tail = tail.concat(rows)
      const settled = tail.findLast((row) => row.block <= finalizedBlock)
      if (settled) {
        final = { block: settled.block, logIndex: settled.logIndex }
        tail = tail.filter((row) => row.block > finalizedBlock)
      }
      digest = digestOf(tail)
    },
  }
}

function digestOf(rows: readonly EventRow[]): string {
  const hashes = [...new Set(rows.map((row) => row.blockHash))].sort()
  return createHash('md5').update(hashes.join('')).digest('hex')
}

function addTo(forests: ReadonlyMap<string, Forest>, row: EventRow): void {
  const forest = forests.get(row.community)
  if (row.kind === 'bind') forest?.bind(row)
  else if (row.kind === 'volume') forest?.addVolume(row)
  else forest?.addReward(row)
}

function isSamePosition(left: Position, right: Position): boolean {
  return left.block === right.block && left.logIndex === right.logIndex
}

function isSameRow(left: EventRow | undefined, right: EventRow | undefined): boolean {
  return (
    left !== undefined &&
    right !== undefined &&
    isSamePosition(left, right) &&
    left.blockHash === right.blockHash &&
    left.kind === right.kind &&
    left.community === right.community
  )
}
