import leven from 'leven'
import { environment } from './settings.ts'

/** Variables that other parts of the product read, or pass to their processes. */
export const otherVariables = [
  'LINEAGE_DATA_DIR',
  'LINEAGE_DEMO',
  'LINEAGE_HISTORY',
  'LINEAGE_POLL_INTERVAL',
  'LINEAGE_SWEEPS',
  'LINEAGE_READER_HOST',
  'LINEAGE_READER_PORT',
  'LINEAGE_REPORT',
  'LINEAGE_RESTART_AFTER',
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
        (one, other) => wordsShared(name, other) - wordsShared(name, one) || leven(name, one) - leven(name, other),
      )
      return `${name} is not a setting, and has no effect. Did you mean ${nearest}? See .env.example.`
    })
}

/** Returns how many words two names share, in any order. */
const wordsShared = (one: string, other: string): number =>
  one.split('_').filter((word) => other.split('_').includes(word)).length
