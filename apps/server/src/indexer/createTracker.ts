import type { KnownIndexer } from './chooseIndexer.ts'

/** Creates the list of requests that indexers have not begun to answer, so that they can be given up when one falls silent. */
export function createTracker() {
  const waiting = new Map<KnownIndexer, Set<() => void>>()
  return {
    /** Counts a request, which `giveUp` ends. Returns a function that is called once its answer has begun, or it has failed. */
    add(one: KnownIndexer, giveUp: () => void): () => void {
      const some = waiting.get(one) ?? new Set()
      waiting.set(one, some.add(giveUp))
      one.running = some.size
      return () => {
        some.delete(giveUp)
        one.running = some.size
      }
    },
    /** Gives up all requests that an indexer has not begun to answer. */
    giveUp(one: KnownIndexer): void {
      for (const giveUp of waiting.get(one) ?? []) giveUp()
    },
  }
}
