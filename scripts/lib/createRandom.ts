/** A stream of random numbers determined by a seed, the same on every machine. */
export type Random = ReturnType<typeof createRandom>

/** Creates a Mulberry32 generator: good enough for demo data and benchmarks, never for secrets. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    /** Returns a number from 0 up to, not including, 1. */
    next,
    /** Returns an integer from 0 up to, not including, `limit`. */
    below,
    pick<item>(items: readonly item[]): item {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError('Nothing to pick from.')
      return item
    },
    hex: (digits: number) => Array.from({ length: digits }, () => below(16).toString(16)).join(''),
  }
}
