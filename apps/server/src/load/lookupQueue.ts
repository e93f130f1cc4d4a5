/** Number of lookups sent to an indexer at once. An indexer answers one after the other, so the others wait here. */
export const runningLimit = 16
/** Largest number of lookups of each indexer, running and waiting. */
export const totalLimit = 64
/** Milliseconds after which a running lookup most likely waits for the database, and another one may start. */
export const slowAfter = 250
/** Longest wait of a lookup, in milliseconds. */
export const patience = 1_000

export type LookupQueueParameters = {
  /** Returns the number of recent requests of a visitor. Visitors with fewer come first. */
  rank: (visitor: string) => number
  /** Number of indexers that answer. */
  indexers?: () => number
  now: () => number
}

type Waiting = { visitor: string; rank: number; since: number; resolve: (end: (() => void) | undefined) => void }

/**
 * Creates the queue of lookups in front of the indexers. Visitors with the fewest recent requests come first. When
 * too many lookups wait, one of the visitor with the most recent requests is refused.
 *
 * @example
 * const end = await queue.enter('203.0.113.7')
 * if (end) await forward().finally(end)
 */
export function createLookupQueue({ rank, now, indexers = () => 1 }: LookupQueueParameters) {
  const waiting = new Set<Waiting>()
  let running = 0
  let slow = 0
  let refused = 0

  const hasPlace = () => running - slow < runningLimit * indexers()

  function start(): () => void {
    running++
    let state: 'running' | 'slow' | 'done' = 'running'
    const timer = setTimeout(() => {
      state = 'slow'
      slow++
      startNext()
    }, slowAfter)
    return () => {
      clearTimeout(timer)
      if (state === 'done') return
      if (state === 'slow') slow--
      state = 'done'
      running--
      startNext()
    }
  }

  function leave(one: Waiting, end?: () => void): void {
    waiting.delete(one)
    if (!end) refused++
    one.resolve(end)
  }

  function startNext(): void {
    while (waiting.size > 0 && hasPlace()) {
      const next = find(waiting, (one, best) => one.rank < best.rank)
      if (next) leave(next, start())
    }
  }

  return {
    /** Resolves once the lookup may start, to a function that ends it, or to `undefined` if too many wait. */
    enter(visitor: string): Promise<(() => void) | undefined> {
      const total = totalLimit * indexers()
      if (hasPlace() && running < total) return Promise.resolve(start())
      return new Promise((resolve) => {
        waiting.add({ visitor, rank: rank(visitor), since: now(), resolve })
        if (running + waiting.size <= total) return
        const most = find(waiting, (one, worst) => one.rank >= worst.rank)
        if (most) leave(most)
      })
    },
    /** Refuses lookups that have waited too long. */
    refuseOld(): void {
      for (const one of waiting) if (now() - one.since > patience) leave(one)
    },
    size: () => running + waiting.size,
    refused: () => refused,
  }
}

/** Returns the best item; of equal ones the first. */
function find(all: Iterable<Waiting>, isBetter: (one: Waiting, best: Waiting) => boolean): Waiting | undefined {
  let best: Waiting | undefined
  for (const one of all) if (!best || isBetter(one, best)) best = one
  return best
}
