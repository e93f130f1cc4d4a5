/** Reads one property of an untrusted object. Returns `undefined` when its getter throws. */
export function readProperty(source: unknown, key: string): unknown {
  try {
    return (source as Record<string, unknown> | null | undefined)?.[key]
  } catch {
    return undefined
  }
}

const maxEntries = 1_000

/**
 * Copies at most 1,000 entries of an untrusted list. Returns `undefined` for other values and for proxies that throw.
 */
export function readList(source: unknown): unknown[] | undefined {
  try {
    return Array.isArray(source) ? Array.from(source.slice(0, maxEntries)) : undefined
  } catch {
    return undefined
  }
}

/** Checks for an object that is neither `null` nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
