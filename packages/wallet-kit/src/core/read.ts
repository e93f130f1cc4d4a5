/** One property of a foreign object, whose getters may throw. `undefined` when there is none. */
export function read(source: unknown, key: string): unknown {
  try {
    return (source as Record<string, unknown> | null | undefined)?.[key]
  } catch {
    return undefined
  }
}

const maxEntries = 1_000

/** The entries of a foreign list, whose traps may throw and whose length may lie. `undefined` when it is none. */
export function readList(source: unknown): unknown[] | undefined {
  try {
    return Array.isArray(source) ? Array.from(source.slice(0, maxEntries)) : undefined
  } catch {
    return undefined
  }
}
