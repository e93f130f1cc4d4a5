/** Puts an entry at the end of a map, and drops the oldest while it has more than `most`, or more than `rows` in all. */
export function keepNewest<key, value>(
  map: Map<key, value>,
  key: key,
  value: value,
  most: number,
  { rows = Number.POSITIVE_INFINITY, rowsOf = () => 0 }: { rows?: number; rowsOf?: (value: value) => number } = {},
): void {
  map.delete(key)
  map.set(key, value)
  const countRows = () => [...map.values()].reduce((sum, one) => sum + rowsOf(one), 0)
  for (const oldest of map.keys()) {
    if (map.size <= most && countRows() <= rows) return
    map.delete(oldest)
  }
}
