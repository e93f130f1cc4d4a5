import type { Address, AsOf, Events } from './types.ts'

/** Time for which a stream can be resumed, in milliseconds. */
export const liveWindow = 600_000

/** Largest number of binds per community that are kept for resuming. */
export const liveLimit = 10_000

/** A bind in a stream: an item of `events` with the hash of its block, and without its transaction. */
export type LiveBind = Omit<Events['items'][number], 'tx'> & { hash: string }

/** Size of a community after a change. */
export type LiveCounts = { asOf: AsOf; members: number }

/** Size of a team after a change. */
export type LiveTeamCounts = LiveCounts & {
  address: Address
  directs: number
  team: number
  ownVolume: string
  teamVolume: string
}

/**
 * A bind with the addresses whose teams it concerns, in lower case: the member and its upline, from the referrer to
 * the root.
 */
export type LiveItem = { bind: LiveBind; teams: readonly string[] }

/**
 * A step of a community: a bind, or binds that a reorganisation retracted. The id identifies the state after the step
 * by its newest bind, so it means the same on every replica and after a restart.
 */
export type LiveStep = {
  id: string
  at: number
  event: 'bind' | 'retracted'
  block: number
  items: readonly LiveItem[]
}

/** A line from the indexer to the server: all kept steps, or the steps that a change of the index added. */
export type LiveLine =
  | { type: 'log'; floor: string; steps: readonly LiveStep[]; counts: LiveCounts }
  | { type: 'change'; steps: readonly LiveStep[]; counts: LiveCounts }
  | { type: 'beat'; asOf: AsOf }

/** Id of the state before the first bind. */
export const liveStart = 'start'

/** Returns the id of the state after a bind. */
export const liveId = ({ block, hash, logIndex }: Pick<LiveBind, 'block' | 'hash' | 'logIndex'>): string =>
  `${block}-${hash.slice(2)}-${logIndex}`

export type LiveLog = ReturnType<typeof createLiveLog>

/**
 * Creates the log of a community's steps, which finds the steps that follow a state. `floor` is the state before the
 * first step.
 */
export function createLiveLog(floor: string, steps: readonly LiveStep[] = []) {
  let kept: LiveStep[] = []
  let before = floor
  /** Number of the first kept step. */
  let first = 0
  /** Number of the last step that led to a state. */
  const numbers = new Map<string, number>()

  function add(step: LiveStep): void {
    numbers.set(step.id, first + kept.length)
    kept.push(step)
  }
  for (const step of steps) add(step)

  return {
    add,
    get floor() {
      return before
    },
    get steps(): readonly LiveStep[] {
      return kept
    },
    /** Returns the newest state. */
    get head() {
      return kept.at(-1)?.id ?? before
    },
    /** Returns the steps after a state; `undefined` if the state is unknown or too old. */
    after(id: string): readonly LiveStep[] | undefined {
      const number = numbers.get(id) ?? (id === before ? first - 1 : undefined)
      return number === undefined ? undefined : kept.slice(number + 1 - first)
    },
    /** Removes steps that are older than the window or exceed the limit. Keeps steps of blocks that are not final. */
    trim(now: number, finalizedBlock: number): void {
      const isOld = (step: LiveStep, index: number) =>
        step.block <= finalizedBlock && (step.at < now - liveWindow || index < kept.length - liveLimit)
      let count = 0
      for (let step = kept[0]; step && isOld(step, count); step = kept[count]) {
        if (numbers.get(step.id) === first + count) numbers.delete(step.id)
        before = step.id
        count++
      }
      if (count === 0) return
      kept = kept.slice(count)
      first += count
    },
  }
}
