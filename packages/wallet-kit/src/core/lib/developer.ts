/** Returns the known name that a misspelt one probably stands for. A third of its letters may be wrong. */
export function findMeant(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((one) => ({ one, faults: countFaults(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, faults }) => faults * 3 <= Math.max(name.length, one.length))
    .sort((a, b) => a.faults - b.faults)
  return nearest?.one
}

/**
 * Returns how many letters of one text are to be replaced, added, removed or exchanged with the next one for the other.
 *
 * @see https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance
 */
function countFaults(a: string, b: string): number {
  const counts = new Map<string, number>()
  const at = (i: number, j: number) => counts.get(`${i} ${j}`) ?? Math.max(i, j)
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const exchanged = isExchanged ? at(i - 2, j - 2) + 1 : replaced
      counts.set(`${i} ${j}`, Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, exchanged))
    }
  return at(a.length, b.length)
}

/** Writes a value as in code: texts in quotes. */
export const quote = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))
