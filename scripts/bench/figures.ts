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

/** Prints a table with aligned columns: the first column left, the others right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
}

export const short = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? '–' : value.toFixed(value < 10 && !Number.isInteger(value) ? 2 : 0)
