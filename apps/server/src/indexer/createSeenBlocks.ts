/** Milliseconds after which a visitor's block is forgotten: all indexers have reached it by then. */
const maxAge = 60_000
/** Largest number of remembered visitors. Beyond it, those answered least recently are forgotten. */
const visitorLimit = 20_000

/**
 * Remembers the newest block of the answers to each visitor. One number is enough for all communities: an indexer
 * answers for all of them at the same block.
 */
export function createSeenBlocks({ now = () => performance.now() }: { now?: () => number } = {}) {
  const seen = new Map<string, { block: number; at: number }>()
  const find = (visitor: string): number => {
    const known = seen.get(visitor)
    return known && now() - known.at < maxAge ? known.block : 0
  }
  return {
    /** Returns the block that a visitor has seen; 0 for none. */
    find,
    /**
     * Records the block of an answer. `asked` is the block that the indexer was asked to wait for. An answer below it
     * means that the block is gone, or that no indexer has reached it: later answers need not wait for it.
     */
    note(visitor: string, block: number, asked = 0): void {
      const before = find(visitor)
      const kept = block < asked && before <= asked ? block : Math.max(block, before)
      seen.delete(visitor)
      seen.set(visitor, { block: kept, at: now() })
      const [oldest] = seen.keys()
      if (seen.size > visitorLimit && oldest !== undefined) seen.delete(oldest)
    },
  }
}
