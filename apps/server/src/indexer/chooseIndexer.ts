import type { Status } from '@lineage/referral-api'

/**
 * State of an indexer. `ready`: it answers reliably. `answering`: it answers lookups, but has reasons such as
 * `stale`. `unknown`: it was not asked yet. `starting`: it has no index yet. `silent`: it does not respond.
 */
type IndexerState = NonNullable<Status['indexers']>[number]['state']

/** State of an indexer as last seen by the server. */
export type KnownIndexer = {
  /** Its position and host, such as `indexer 1 (127.0.0.1:42069)`. */
  readonly name: string
  readonly origin: string
  state: IndexerState
  /** Newest block in its last answer; 0 before the first answer. */
  block: number
  /** Name of its index; `undefined` before its first answer. */
  index: string | undefined
  /** Number of lookups in progress. */
  running: number
  /** Its own status when it was last asked; `undefined` while it does not respond. */
  status: Status | undefined
  /** Unix milliseconds since when it does not respond. */
  silentSince: number | undefined
}

export type ChooseParameters = {
  /** Index that the server serves. */
  index: string | undefined
  /** Newest block that the visitor has seen. */
  atLeast: number
  /** An indexer that has just failed, and is not chosen. */
  except?: KnownIndexer | undefined
  /** Number of lookups that one indexer takes at once. */
  most: number
  /** `first` chooses the first one listed, regardless of its load. */
  prefer?: 'idle' | 'first' | undefined
}

const states: IndexerState[] = ['ready', 'answering', 'unknown', 'starting', 'silent']
const rank = ({ state }: KnownIndexer) => states.indexOf(state)

export const isAnswering = ({ state }: Pick<KnownIndexer, 'state'>): boolean =>
  state === 'ready' || state === 'answering'

/**
 * Chooses the indexer for a lookup: one that has reached the visitor's block, is ready, and has the fewest lookups in
 * progress. If none has reached that block, chooses the most advanced. If none answers, chooses the one closest to
 * ready.
 */
export function chooseIndexer(
  all: readonly KnownIndexer[],
  { index, atLeast, except, most, prefer = 'idle' }: ChooseParameters,
): KnownIndexer | undefined {
  const others = all.filter((one) => one !== except)
  const able = others.filter((one) => isAnswering(one) && one.index === index)
  if (able.length === 0) return except ? undefined : first(others, (one, best) => rank(one) - rank(best))
  const far = able.filter(({ block }) => block >= atLeast)
  if (far.length === 0) return first(able, (one, best) => best.block - one.block || one.running - best.running)
  if (prefer === 'first') return first(far, (one, best) => rank(one) - rank(best))
  const free = [far, able].map((some) => some.filter(({ running }) => running < most)).find(({ length }) => length > 0)
  return first(free ?? far, (one, best) => rank(one) - rank(best) || one.running - best.running)
}

/** Returns the best indexer of the served index: one that is ready, and among those the most advanced. */
export function findBest(all: readonly KnownIndexer[], index: string | undefined): KnownIndexer | undefined {
  const able = all.filter((one) => isAnswering(one) && one.index === index)
  return first(able.length > 0 ? able : all, (one, best) => rank(one) - rank(best) || best.block - one.block)
}

/**
 * Returns the index to serve. The served index stays while any of its indexers answers, unless an indexer listed
 * before them is ready with another index. So a new configuration takes over once its index is complete.
 */
export function findServedIndex(all: readonly KnownIndexer[], served: string | undefined): string | undefined {
  const ready = all.find(({ state }) => state === 'ready')
  const current = all.find((one) => isAnswering(one) && one.index === served)
  if (!current) return (ready ?? all.find(isAnswering))?.index ?? served
  return ready && all.indexOf(ready) < all.indexOf(current) ? ready.index : served
}

/** Returns the smallest item by `compare`; of equal ones the first. */
function first(
  all: readonly KnownIndexer[],
  compare: (one: KnownIndexer, best: KnownIndexer) => number,
): KnownIndexer | undefined {
  return all.toSorted(compare)[0]
}
