import { chunkBits, chunkEnd } from '../data/chunks.ts'
import { Smallest } from '../lib/smallest.ts'

/** Tells from the extremes of chunks where the first rows of a list are. */
export interface ChunkRanking {
  order: 'asc' | 'desc'
  /** First value in this order that a row of each chunk can have. */
  best: Uint32Array | Float64Array
  /** Value of the cursor. Chunks whose best value is not after it are not scanned first. */
  after?: number | undefined
  /** Returns the last chunk value that may precede `last`, the last kept row; `undefined` while fewer than wanted are kept. */
  limit(last: number | undefined): number
}

/**
 * Scans ranges of rows chunk by chunk: first the most promising chunks, then only those that may contain a row before
 * the last kept one. A range may begin and end inside a chunk.
 */
export function searchChunks(
  ranges: readonly number[],
  kept: Smallest,
  scan: (low: number, high: number) => void,
  ranking: ChunkRanking,
  seedCount: number,
): void {
  const { best } = ranking
  const sign = ranking.order === 'asc' ? 1 : -1
  const seeds = findSeeds(ranges, ranking, seedCount)
  for (const [low, high] of seeds) scan(low, high)
  // With fewer rows than a batch, the threshold is unknown until they are sorted.
  kept.sorted()
  let last = kept.threshold
  let limit = sign * ranking.limit(last)
  for (let range = 0; range < ranges.length; range += 2) {
    const end = ranges[range + 1] as number
    for (let low = ranges[range] as number; low < end; low = chunkEnd(low)) {
      if (sign * (best[low >>> chunkBits] as number) > limit || seeds.has(low)) continue
      scan(low, Math.min(end, chunkEnd(low)))
      if (kept.threshold === last) continue
      last = kept.threshold
      limit = sign * ranking.limit(last)
    }
  }
}

/** Returns the most promising pieces of the ranges: their first rows, and the rows after them. */
function findSeeds(
  ranges: readonly number[],
  { order, best, after }: ChunkRanking,
  count: number,
): ReadonlyMap<number, number> {
  const sign = order === 'asc' ? 1 : -1
  const bestOf = (row: number) => best[row >>> chunkBits] as number
  const lows = new Smallest(count, (left, right) => sign * (bestOf(left) - bestOf(right)) || left - right)
  /** Ends of the pieces that end before their chunk. */
  const highs = new Map<number, number>()
  const cursor = after === undefined ? Number.NEGATIVE_INFINITY : sign * after
  let last = Number.POSITIVE_INFINITY
  for (let range = 0; range < ranges.length; range += 2) {
    const end = ranges[range + 1] as number
    for (let low = ranges[range] as number; low < end; low = chunkEnd(low)) {
      const value = sign * bestOf(low)
      if (value <= cursor || value > last) continue
      lows.offer(low)
      if (end < chunkEnd(low)) highs.set(low, end)
      if (lows.threshold !== undefined) last = sign * bestOf(lows.threshold)
    }
  }
  return new Map(lows.sorted().map((low) => [low, highs.get(low) ?? chunkEnd(low)]))
}
