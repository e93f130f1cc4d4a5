/** Milliseconds after which a visitor may be sent to an indexer that is behind: all are as far by then. */
const maxAge = 60_000
/** Largest number of remembered visitors; beyond it the ones without an answer for longest are forgotten. */
const visitorLimit = 20_000

/**
 * Remembers the newest block that each visitor has been answered at. One number is enough for all communities: an indexer answers
 * for all of them at the same block.
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
     * Notes the block of an answer. `asked`: the block that the indexer was asked to wait for; an answer below it means that
     * the chain has no such block any more, or that no indexer is as far: later answers need not wait for it.
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
