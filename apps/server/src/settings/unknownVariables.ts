import { environment } from './settings.ts'

/** Variables that other parts of the product read, or pass to their processes. */
export const otherVariables = [
  'LINEAGE_CONFIG',
  'LINEAGE_DATA_DIR',
  'LINEAGE_HISTORY',
  'LINEAGE_INDEX_DIR',
  'LINEAGE_MAX_AGE',
  'LINEAGE_NODES_URL',
  'LINEAGE_POLL_INTERVAL',
  'LINEAGE_REPORT',
  'LINEAGE_RESTART_AFTER',
  'LINEAGE_ROLE',
  'LINEAGE_SEED',
  'LINEAGE_SERVER',
]

/**
 * Returns a sentence for each variable that begins with `LINEAGE_` but is not a setting, with the nearest name that
 * is one.
 *
 * @example findUnknownVariables({ LINEAGE_ORIGINS: '' }) // ['LINEAGE_ORIGINS is not a setting. Did you mean LINEAGE_ORIGIN?']
 */
export function findUnknownVariables(variables: Record<string, string | undefined>): string[] {
  const known = [...Object.keys(environment.shape), ...otherVariables]
  return Object.keys(variables)
    .filter((name) => name.startsWith('LINEAGE_') && !name.startsWith('LINEAGE_TEST_') && !known.includes(name))
    .map((name) => {
      const [nearest] = known.toSorted(
        (one, other) =>
          wordsShared(name, other) - wordsShared(name, one) || distance(name, one) - distance(name, other),
      )
      return `${name} is not a setting, and has no effect. Did you mean ${nearest}? See .env.example.`
    })
}

/** Returns how many words two names share, in any order. */
const wordsShared = (one: string, other: string): number =>
  one.split('_').filter((word) => other.split('_').includes(word)).length

/** Returns how many letters must be added, removed or changed to turn one word into another (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1]
    for (let index = 0; index < to.length; index++) {
      const changed = (row[index] ?? 0) + (to[index] === letter ? 0 : 1)
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
