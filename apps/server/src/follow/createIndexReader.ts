import type { Snapshots } from '@lineage/forest'
import type { Community } from '../../../config/index.ts'
import type { TableAudit } from '../audit/createTableAudit.ts'
import { type DatabaseFault, findDatabaseFault } from '../lib/describeError.ts'
import { runPeriodically } from '../lib/runPeriodically.ts'
import type { Tables } from '../tables/createTables.ts'
import { createForestSet } from './createForestSet.ts'
import { createViewUpdater, type Live } from './createViewUpdater.ts'
import { type IndexState, isFollowingAgain, isReloading, toStatus } from './indexState.ts'
import { lastCompleteFinalBlock, loadFinalEvents } from './loadFinalEvents.ts'
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

/** The state of a reader. */
type Reader = {
  parameters: IndexReaderParameters
  audit: Audit
  index: IndexState
  /** Adds rows to the forests, and updates the view. */
  update: ReturnType<typeof createViewUpdater>
  /** Maximum number of rows per read. It grows where a block has more. */
  limit: number
  fault: DatabaseFault | undefined
  /** Mark of the tables when the view included all their rows. */
  viewed: string | undefined
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
  const { log = () => {} } = parameters
  const reader = createReader(parameters, log)
  const { index } = reader
  return {
    poll: () => poll(reader),
    pollHead: () => pollHead(reader),
    status: () => toStatus(index),
    /** Returns the error of the last read of the tables; `undefined` after a successful read. */
    fault: () => reader.fault,
    /** Returns the data for lookups; `undefined` until all rows up to the newest block at start are loaded. */
    view: () => index.view,
    /** Returns the rows of the view that are not final; `undefined` while its forests are being rebuilt. */
    tail: () => (index.view && !isReloading(index) ? index.forests.tail : undefined),
    /** Polls until the process ends. If the database or the node fails, the last view stays. */
    start() {
      const read = async () => ((await poll(reader)) === 'behind' ? 0 : pollInterval)
      runPeriodically('The tables cannot be read', log, read)
      runPeriodically('The newest block of the nodes cannot be read', log, async () => {
        await pollHead(reader)
        return headInterval
      })
    },
  }
}

function createReader(parameters: IndexReaderParameters, log: (message: string) => void): Reader {
  const { communities, snapshots, audit = noAudit, live = noLive, limit = 50_000 } = parameters
  const startBlock = Math.min(...communities.map((community) => community.startBlock))
  const index: IndexState = {
    startBlock,
    checkpoint: undefined,
    head: undefined,
    target: undefined,
    reached: startBlock,
    forests: createForestSet(communities),
    view: undefined,
  }
  const startAgain = (error: unknown) => startWithEmptyForests(index, communities, error)
  const update = createViewUpdater({ state: index, audit, live, snapshots, log, startAgain })
  return { parameters, audit, index, update, limit, fault: undefined, viewed: undefined }
}

/** Starts again with empty forests, because after an error they may be incomplete. */
function startWithEmptyForests(index: IndexState, communities: readonly Community[], error: unknown): never {
  index.forests = createForestSet(communities)
  throw error
}

async function pollHead({ index, parameters }: Reader): Promise<void> {
  index.head = await parameters.headBlock()
  // If a node reported blocks that do not exist, the first view must not wait for them forever.
  if (index.target !== undefined) index.target = Math.min(index.target, index.head)
}

/** Reads the tables once. Resolves to whether they may hold more. */
async function poll(reader: Reader): Promise<Standing> {
  try {
    const standing = await readTables(reader)
    reader.fault = undefined
    return standing
  } catch (error) {
    reader.fault = findDatabaseFault(error)
    throw error
  }
}

async function readTables(reader: Reader): Promise<Standing> {
  const { index, limit, parameters } = reader
  const { tables, communities } = parameters
  // Read before the rows: a change between the two reads changes the next mark.
  const mark = await tables.readMark()
  if (index.view && mark === reader.viewed && !isReloading(index)) return 'level'
  reader.viewed = undefined
  if (isReloading(index)) await loadFinal(reader).catch((error) => startWithEmptyForests(index, communities, error))
  const { kind, checkpoint, rows } = await readChanges(reader)
  index.checkpoint = checkpoint
  // During the backfill only final blocks are complete, and these were loaded above. If the backfill restarted and
  // reverted rows that are not final, the last view stays until the tables reach it again.
  if (!checkpoint || checkpoint.backfill === 'running' || isFollowingAgain(index, checkpoint)) {
    // On damaged tables Ponder repeats a failing statement for minutes, and the digests of the rows are compared
    // only later.
    await tables.probe()
    return 'level'
  }
  if (index.target === undefined) {
    await pollHead(reader)
    index.target = index.head
  }
  const { newest, ...blocks } = takeCompleteBlocks(rows, { checkpoint, limit })
  if (newest) await reader.update({ newest, kind, ...blocks })
  else reader.limit *= 2
  if (blocks.standing === 'level') reader.viewed = mark
  return blocks.standing
}

/** Loads the final rows into empty forests. */
async function loadFinal({ index, parameters: { tables }, audit, limit }: Reader): Promise<void> {
  const { forests, startBlock } = index
  const { checkpoint } = await tables.readChanges(forests.final, forests.applied, 0)
  if (!checkpoint || forests.applied !== forests.final) return
  index.checkpoint = checkpoint
  if (forests.final.block < 0) await audit.restart()
  const end = lastCompleteFinalBlock(checkpoint)
  for await (const block of loadFinalEvents({ tables, forests, startBlock, end, limit, audit })) index.reached = block
}

/** Reads the rows after those in the forests, or all that are not final if these were replaced. */
async function readChanges({ index: { forests }, parameters: { tables }, limit }: Reader) {
  const changes = await tables.readChanges(forests.final, forests.applied, limit)
  if (forests.matches(changes.tail)) return { ...changes, kind: 'new' as const }
  return { ...(await tables.readChanges(forests.final, forests.final, limit)), kind: 'reorg' as const }
}
