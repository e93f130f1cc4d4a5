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
    keepNewest(cache, key, entry, size)
    entry.value.catch(() => cache.get(key) === entry && cache.delete(key))
    return entry.value
  }
}

/** Puts an entry at the end of a map, and drops the oldest one if there are more than `most`. */
export function keepNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

/** Resolves to `undefined` if a value fails or takes longer than `patience` milliseconds. Its computation goes on. */
export async function withPatience<Value>(patience: number, value: Promise<Value>): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience)
  })
  return Promise.race([value.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}
