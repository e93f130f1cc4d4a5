export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Returns the value that the given share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Returns the median of each figure over the runs that have it. */
export function medians<name extends string>(runs: readonly Partial<Record<name, number>>[]): Record<string, number> {
  const names = new Set(runs.flatMap((run) => Object.keys(run) as name[]))
  return Object.fromEntries(
    [...names].map((name) => [name, median(runs.flatMap((run) => (run[name] === undefined ? [] : [run[name]])))]),
  )
}

/** Prints rows as a table, or a row as a list, with fewer digits of larger figures. */
export const printTable = (rows: object): void => console.table(toShort(rows))

function toShort(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isInteger(value) ? value : Number(value.toFixed(value < 1 ? 3 : value < 10 ? 2 : 0))
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toShort)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toShort(one)]))
}
