import type { OperationId } from './routes.ts'

export type NewestBlocks = ReturnType<typeof createNewestBlocks>

/** An operation of one request. `target` is its path with its query. */
export type Asked = { id: OperationId; community: string | undefined; target: string; query?: object | undefined }

/** A block, and the name of the index that it was in, if that is known. */
export type SeenBlock = { block: number; index: string | undefined }

/** An answer of the state at a block; the cards of one address are each of their community's. */
type Answer = { asOf?: { block: number }; items?: readonly { community: string; asOf: { block: number } }[] }

const none: SeenBlock = { block: 0, index: undefined }

/**
 * Remembers the newest block of each community that the client has seen, so that no server's answer takes it back in
 * time. The blocks of an index count for that index only, because tables that are made again may be behind for good.
 */
export function createNewestBlocks() {
  const newest = new Map<string, SeenBlock>()

  /** Returns the newest block in an index; without its name, in the last one. */
  function of(key: string | undefined, index?: string): number {
    const known = (key === undefined ? undefined : newest.get(key)) ?? none
    return isOther(known, index) ? 0 : known.block
  }
  function note(key: string, block: number, index = newest.get(key)?.index): void {
    newest.set(key, { block: Math.max(block, of(key, index)), index })
  }

  return {
    /** Notes a block of a community in the index of its last answer. */
    note: (community: string, block: number): void => note(community, block),
    /** Returns the block that an answer must have reached; 0 for any. A lookup of the past has no such block. */
    required: ({ community, query }: Asked): SeenBlock =>
      (isOfPast(query) || community === undefined ? undefined : newest.get(community)) ?? none,
    /**
     * Takes the blocks of an answer. Returns `older` without taking any if one is before the block that was known when
     * the answer was asked for.
     *
     * @param header names of the indexes, as in `lineage-index`
     */
    take(asked: Asked, required: SeenBlock, answer: object, header: string | null): 'current' | 'older' {
      if (isOfPast(asked.query)) return 'current'
      const names = readNames(header)
      const { asOf, items = [] } = answer as Answer
      if (asked.id === 'addresses') {
        const isOlder = ({ community, asOf: { block } }: (typeof items)[number]) =>
          block < of(community, names.get(community))
        if (items.some(isOlder)) return 'older'
        for (const item of items) note(item.community, item.asOf.block, names.get(item.community))
      } else if (asOf && asked.community !== undefined) {
        const index = names.get(asked.community)
        const before = isOther(required, index) ? 0 : required.block
        if (asOf.block < (isKept(asked.id) ? of(asked.target, index) : before)) return 'older'
        note(asked.community, asOf.block, index)
        if (isKept(asked.id)) note(asked.target, asOf.block, index)
      }
      return 'current'
    },
  }
}

const isOther = (known: SeenBlock, index: string | undefined): boolean =>
  known.index !== undefined && index !== undefined && known.index !== index

const readNames = (header: string | null): Map<string, string> =>
  new Map((header ?? '').split(',').map((pair) => pair.trim().split('=') as [string, string]))

/** Returns whether servers keep an answer for a while because it is costly, so that it may be of an earlier block. */
const isKept = (id: OperationId): boolean => id === 'metrics' || id === 'map'

const isOfPast = (query: { asOf?: unknown; from?: unknown } = {}): boolean =>
  query.asOf !== undefined || query.from !== undefined
