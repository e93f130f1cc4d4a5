export type CacheParameters = {
  /** Milliseconds for which a value is reused. */
  maxAge: number
  /** Largest number of values. @default 1 */
  size?: number
  /** Milliseconds that only increase. */
  now?: () => number
}

/**
 * Creates a function that loads the value of a key, or reuses it. A failure is not kept. Beyond the size, the oldest
 * value is forgotten.
 *
 * @example const find = createCache({ maxAge: 1_000 }); await find('status', fetchStatus)
 */
export function createCache<Value>({ maxAge, size = 1, now = () => performance.now() }: CacheParameters) {
  const cache = new Map<string, { until: number; value: Promise<Value> }>()
  return (key: string, load: () => Promise<Value>): Promise<Value> => {
    const known = cache.get(key)
    if (known && known.until > now()) return known.value
    const entry = { until: now() + maxAge, value: load() }
    // Delete first, so that the first of the map is the oldest.
    cache.delete(key)
    cache.set(key, entry)
    const [oldest] = cache.keys()
    if (cache.size > size && oldest !== undefined) cache.delete(oldest)
    entry.value.catch(() => cache.get(key) === entry && cache.delete(key))
    return entry.value
  }
}
