import type { OperationId } from './routes.ts'

export type NewestBlocks = ReturnType<typeof createNewestBlocks>

/** An operation of one request. `target` is its path with its query. */
export type Asked = { id: OperationId; community: string | undefined; target: string; query?: object | undefined }

/** An answer of the state at a block; the cards of one address are each of their community's. */
type Answer = { asOf?: { block: number }; items?: readonly { community: string; asOf: { block: number } }[] }

/**
 * Remembers the newest block of each community that the client has seen, so that no server's answer takes it back in
 * time.
 */
export function createNewestBlocks() {
  const newest = new Map<string, number>()
  const of = (key: string | undefined): number => (key === undefined ? 0 : (newest.get(key) ?? 0))
  const note = (key: string, block: number): void => void newest.set(key, Math.max(block, of(key)))
  return {
    note,
    /** Returns the block that an answer must have reached; 0 for any. A lookup of the past has no such block. */
    required: ({ community, query }: Asked): number => (isOfPast(query) ? 0 : of(community)),
    /**
     * Takes the blocks of an answer. Returns `older` without taking any if one is before the block that was known when
     * the answer was asked for.
     */
    take(asked: Asked, required: number, answer: object): 'current' | 'older' {
      if (isOfPast(asked.query)) return 'current'
      const { asOf, items = [] } = answer as Answer
      if (asked.id === 'addresses') {
        if (items.some((item) => item.asOf.block < of(item.community))) return 'older'
        for (const item of items) note(item.community, item.asOf.block)
      } else if (asOf && asked.community !== undefined) {
        if (asOf.block < (isKept(asked.id) ? of(asked.target) : required)) return 'older'
        note(asked.community, asOf.block)
        if (isKept(asked.id)) note(asked.target, asOf.block)
      }
      return 'current'
    },
  }
}

/** Returns whether servers keep an answer for a while because it is costly, so that it may be of an earlier block. */
const isKept = (id: OperationId): boolean => id === 'metrics' || id === 'map'

const isOfPast = (query: { asOf?: unknown; from?: unknown } = {}): boolean =>
  query.asOf !== undefined || query.from !== undefined
