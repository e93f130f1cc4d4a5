import type { Forest } from '@lineage/forest'
import type { AsOf, Progress, Status } from '@lineage/referral-api'
import type { Checkpoint } from '../../../ponderInternals.ts'
import type { NodesWatch } from '../tables/createReportStore.ts'
import type { ForestSet } from './createForestSet.ts'
import type { Standing } from './takeCompleteBlocks.ts'

/** Data for lookups. All of it belongs to one moment, until the next await. */
export type IndexView = { asOf: AsOf; forests: ReadonlyMap<string, Forest>; version: number }

/** Progress of the index. */
export type IndexState = {
  startBlock: number
  checkpoint: Checkpoint | undefined
  /** Newest block of the node. */
  head: number | undefined
  /** Block to reach before the first view: the newest block at start. */
  target: number | undefined
  /** All events up to this block are in the forests. */
  reached: number
  forests: ForestSet
  view: IndexView | undefined
}

/** State of the index; warnings and spot checks are added by the API. */
export type IndexStatus = Omit<Status, 'warnings' | 'reasons' | 'spotChecks'>

export function toStatus(state: IndexState): IndexStatus {
  const { view, checkpoint, head } = state
  const headBlock = head === undefined && !checkpoint ? null : Math.max(head ?? 0, checkpoint?.block ?? 0)
  if (view) return { state: 'ready', progress: null, asOf: view.asOf, headBlock, note: null }
  const progress = toProgress(state)
  const name = progress.phase === 'starting' ? 'starting' : 'indexing'
  return { state: name, progress, asOf: null, headBlock, note: null }
}

function toProgress({ checkpoint, reached, target, head, startBlock }: IndexState): Progress {
  if (!checkpoint) return { phase: 'starting', done: 0, total: 0 }
  const { block, backfill } = checkpoint
  const phase = backfill === 'complete' && reached < block ? 'loading' : 'indexing'
  const total = Math.max((target ?? head ?? block) - startBlock, 0)
  const done = Math.max((phase === 'loading' ? reached : block) - startBlock, 0)
  return { phase, done: Math.min(done, total), total }
}

/** Returns whether the view was made from other forests than the current ones, as at start and after a failure. */
export const isReloading = ({ view, forests }: Pick<IndexState, 'view' | 'forests'>): boolean =>
  view?.forests !== forests.forests

/**
 * Returns whether the tables are behind the view while the nodes have its blocks, as after a restart of the indexer
 * that fills the tables. They reach the view soon, and it stays until then.
 */
export const isFollowingAgain = (
  { view, head = Number.POSITIVE_INFINITY }: Pick<IndexState, 'view' | 'head'>,
  { block }: Checkpoint,
): boolean => view !== undefined && block < Math.min(view.asOf.block, head)

/**
 * Returns the view after rows up to `asOf` were added. Returns the same view if nothing changed, or if the forests
 * are not complete enough.
 */
export function nextView(
  state: Pick<IndexState, 'view' | 'forests' | 'target'>,
  { asOf, standing, change }: { asOf: AsOf; standing: Standing; change: 'rows' | 'none' },
): IndexView | undefined {
  const { view, target, forests } = state
  const isNew = isReloading(state)
  if (isNew && standing === 'behind') return view
  if (!view && (target === undefined || asOf.block < target)) return view
  const isSame = view?.asOf.block === asOf.block && view.asOf.finalizedBlock === asOf.finalizedBlock
  if (isSame && change === 'none' && !isNew) return view
  return { asOf, forests: forests.forests, version: (view?.version ?? 0) + 1 }
}

/** Returns the status of an index that is not served for a reason. `undefined` leaves the status unchanged. */
function toWithheld(status: IndexStatus, reason: string | null | undefined): IndexStatus {
  if (reason === undefined || status.state === 'starting') return status
  return { ...status, state: 'indexing', asOf: null, note: reason }
}

/** Returns the status to show, given the checks of the indexer that reads the chain. */
export function toShownStatus(status: IndexStatus, { members, chain, replaced }: Checked): IndexStatus {
  const checked = members === 'checked' ? status : toUnchecked(status)
  return toWithheld(checked, chain === 'unchecked' ? null : (replaced ?? undefined))
}

type Checked = Pick<NodesWatch, 'members' | 'chain' | 'replaced'>

/** Returns whether lookups may be answered. */
export const isServed = ({ members, chain, replaced }: Checked): boolean =>
  members === 'checked' && chain === 'checked' && replaced === null

function toUnchecked(status: IndexStatus): IndexStatus {
  if (status.state !== 'ready') return status
  const progress = { phase: 'loading', done: 0, total: 0 } as const
  const note = 'The first members are being checked against the contract.'
  return { ...status, state: 'indexing', progress, asOf: null, note }
}
