import type { KnownIndexer } from './chooseIndexer.ts'

/**
 * Creates the list of requests that indexers have not begun to answer, so that they can be aborted when an indexer
 * falls silent.
 */
export function createTracker() {
  const waiting = new Map<KnownIndexer, Set<() => void>>()
  return {
    /**
     * Adds a request, with a function that aborts it. Returns a function to call once its answer has begun or it has
     * failed.
     */
    add(one: KnownIndexer, giveUp: () => void): () => void {
      const some = waiting.get(one) ?? new Set()
      waiting.set(one, some.add(giveUp))
      one.running = some.size
      return () => {
        some.delete(giveUp)
        one.running = some.size
      }
    },
    /** Aborts all requests that an indexer has not begun to answer. */
    giveUp(one: KnownIndexer): void {
      for (const giveUp of waiting.get(one) ?? []) giveUp()
    },
  }
}
