import type { Snapshots } from '@lineage/forest'
import type { Community } from '../../config/index.ts'
import { createForestSet } from './createForestSet.ts'
import type { LiveFeed } from './createLiveFeed.ts'
import type { TableAudit } from './createTableAudit.ts'
import type { Tables } from './createTables.ts'
import { createViewUpdater } from './createViewUpdater.ts'
import { type DatabaseFault, findDatabaseFault } from './describeError.ts'
import { type IndexState, isFollowingAgain, isReloading, toStatus } from './indexState.ts'
import { lastCompleteFinalBlock, loadFinalEvents } from './loadFinalEvents.ts'
import { runPeriodically } from './runPeriodically.ts'
import { type Standing, takeCompleteBlocks } from './takeCompleteBlocks.ts'

export type IndexReaderParameters = {
  communities: readonly Community[]
  tables: Pick<Tables, 'readMark' | 'probe' | 'readChanges' | 'readFinal'>
  /** Requests the newest block from the node. */
  headBlock: () => Promise<number>
  log?: (message: string) => void
  /** Keeps lookups of large teams fast. Without it, the forests keep their first snapshot. */
  snapshots?: Pick<Snapshots, 'refresh'>
  /** Compares final rows with their saved digests. */
  audit?: Audit
  /** Receives the added rows and the fork of each change. */
  live?: Live
  /** Maximum number of rows per read. */
  limit?: number
}

type Audit = Pick<TableAudit, 'restart' | 'borderAfter' | 'add' | 'addRows' | 'save'>
type Live = Pick<LiveFeed, 'begin' | 'advance'>

export type IndexReader = ReturnType<typeof createIndexReader>

const pollInterval = 100
const headInterval = 2_000

const noLive: Live = { begin: async () => {}, advance: () => {} }

const noAudit: Audit = {
  restart: async () => {},
  borderAfter: () => undefined,
  add: () => {},
  addRows: () => {},
  save: async () => {},
}

/**
 * Creates the reader that keeps one forest per community up to date with the tables. Each read compares the rows that
 * are not final; if they differ, the forests are rolled back to the fork before new rows are added.
 *
 * @example
 * const reader = createIndexReader({ communities, tables, headBlock })
 * reader.start()
 * reader.view()?.forests.get('demo')?.size
 */
export function createIndexReader(parameters: IndexReaderParameters) {
  const { communities, tables, headBlock, log = () => {}, snapshots, audit = noAudit, live = noLive } = parameters
  let { limit = 50_000 } = parameters
  const startBlock = Math.min(...communities.map((community) => community.startBlock))
  const state: IndexState = {
    startBlock,
    checkpoint: undefined,
    head: undefined,
    target: undefined,
    reached: startBlock,
    forests: createForestSet(communities),
    view: undefined,
  }

  let fault: DatabaseFault | undefined
  /** Mark of the tables when the view included all their rows. */
  let viewed: string | undefined

  async function pollHead(): Promise<void> {
    state.head = await headBlock()
    // If a node reported blocks that do not exist, the first view must not wait for them forever.
    if (state.target !== undefined) state.target = Math.min(state.target, state.head)
  }

  /** Starts again with empty forests, because after an error they may be incomplete. */
  function startAgain(error: unknown): never {
    state.forests = createForestSet(communities)
    throw error
  }

  async function loadFinal(): Promise<void> {
    const { forests } = state
    const { checkpoint } = await tables.readChanges(forests.final, forests.applied, 0)
    if (!checkpoint || forests.applied !== forests.final) return
    state.checkpoint = checkpoint
    if (forests.final.block < 0) await audit.restart()
    const end = lastCompleteFinalBlock(checkpoint)
    for await (const block of loadFinalEvents({ tables, forests, startBlock, end, limit, audit })) state.reached = block
  }

  async function readChanges() {
    const { forests } = state
    const changes = await tables.readChanges(forests.final, forests.applied, limit)
    if (forests.matches(changes.tail)) return { ...changes, kind: 'new' as const }
    return { ...(await tables.readChanges(forests.final, forests.final, limit)), kind: 'reorg' as const }
  }

  const update = createViewUpdater({ state, audit, live, snapshots, log, startAgain })

  /** Reads the tables once. Resolves to whether they may hold more. */
  async function poll(): Promise<Standing> {
    try {
      const standing = await readTables()
      fault = undefined
      return standing
    } catch (error) {
      fault = findDatabaseFault(error)
      throw error
    }
  }

  async function readTables(): Promise<Standing> {
    // Read before the rows: a change between the two reads changes the next mark.
    const mark = await tables.readMark()
    if (state.view && mark === viewed && !isReloading(state)) return 'level'
    viewed = undefined
    if (isReloading(state)) await loadFinal().catch(startAgain)
    const { kind, checkpoint, rows } = await readChanges()
    state.checkpoint = checkpoint
    // During the backfill only final blocks are complete, and these were loaded above. If the backfill restarted and
    // reverted rows that are not final, the last view stays until the tables reach it again.
    if (!checkpoint || checkpoint.backfill === 'running' || isFollowingAgain(state, checkpoint)) {
      // On damaged tables Ponder repeats a failing statement for minutes, and the digests of the rows are compared
      // only later.
      await tables.probe()
      return 'level'
    }
    if (state.target === undefined) {
      await pollHead()
      state.target = state.head
    }
    const { newest, ...blocks } = takeCompleteBlocks(rows, { checkpoint, limit })
    if (newest) await update({ newest, kind, ...blocks })
    else limit *= 2
    if (blocks.standing === 'level') viewed = mark
    return blocks.standing
  }

  return {
    poll,
    pollHead,
    status: () => toStatus(state),
    /** Returns the error of the last read of the tables; `undefined` after a successful read. */
    fault: () => fault,
    /** Returns the data for lookups; `undefined` until all rows up to the newest block at start are loaded. */
    view: () => state.view,
    /** Returns the rows of the view that are not final; `undefined` while its forests are being rebuilt. */
    tail: () => (state.view && !isReloading(state) ? state.forests.tail : undefined),
    /** Polls until the process ends. If the database or the node fails, the last view stays. */
    start() {
      runPeriodically('The tables cannot be read', log, async () => ((await poll()) === 'behind' ? 0 : pollInterval))
      runPeriodically('The newest block of the nodes cannot be read', log, async () => {
        await pollHead()
        return headInterval
      })
    },
  }
}
