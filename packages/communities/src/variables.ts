import leven from 'leven'

export type ServerVariable = (typeof serverVariables)[number]
export type ReaderVariable = (typeof readerVariables)[number]

/** Environment variables of the server. The compiler compares them with its settings. */
export const serverVariables = [
  'PORT',
  'LINEAGE_HOST',
  'LINEAGE_CONNECTIONS',
  'LINEAGE_LIMIT_LOOKUPS',
  'LINEAGE_LIMIT_RPC',
  'LINEAGE_CONFIG',
  'LINEAGE_COMMUNITIES',
  'LINEAGE_MAX_AGE',
  'DATABASE_URL',
  'LINEAGE_RPC_URLS',
  'LINEAGE_PUBLIC_RPC_URLS',
  'LINEAGE_PROJECT_ID',
  'LINEAGE_RELAY_URL',
  'LINEAGE_NAMES_URL',
  'LINEAGE_NAMES_API_KEY',
  'LINEAGE_NAMES_HEADER',
  'LINEAGE_TRUST_PROXY',
  'LINEAGE_ORIGIN',
  'LINEAGE_SESSION_SECRET',
  'LINEAGE_SESSION_SECRET_OLD',
  'LINEAGE_MCP',
  'LINEAGE_WEBHOOKS',
  'LINEAGE_LOG',
  'LINEAGE_LOG_VISITORS',
  'LINEAGE_METRICS_PORT',
  'LINEAGE_METRICS_HOST',
  'LINEAGE_WEB_DIR',
] as const

/** Environment variables of the reader, which has no others in its settings. */
export const readerVariables = [
  'DATABASE_URL',
  'LINEAGE_CONFIG',
  'LINEAGE_RPC_URLS',
  'LINEAGE_READER_PORT',
  'LINEAGE_READER_HOST',
  'LINEAGE_HISTORY',
  'LINEAGE_POLL_INTERVAL',
  'LINEAGE_SWEEPS',
  'LINEAGE_LOG',
] as const

/** Variables that other parts of the product read, or pass to their processes. */
export const otherVariables = [
  'LINEAGE_DATA_DIR',
  'LINEAGE_DEMO',
  'LINEAGE_REPORT',
  'LINEAGE_RESTART_AFTER',
  'LINEAGE_SEED',
  'LINEAGE_SERVER',
] as const

/** Settings that only earlier versions had. No other one takes their place. */
const removed = /^LINEAGE_(ACCOUNTS_DIR|INDEXERS|INDEX_DIR)$/

/** Processes may share one file of settings, so each knows those of the others. */
const known: readonly string[] = [...new Set([...serverVariables, ...readerVariables, ...otherVariables])]

/**
 * Returns a sentence for each variable that begins with `LINEAGE_` but is not a setting: with the nearest name that is one,
 * unless it was one before.
 *
 * @example findUnknownVariables({ LINEAGE_ORIGINS: '' }) // ['LINEAGE_ORIGINS is not a setting. Did you mean LINEAGE_ORIGIN?']
 */
export function findUnknownVariables(variables: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(variables)
    .filter((name) => name.startsWith('LINEAGE_') && !name.startsWith('LINEAGE_TEST_') && !known.includes(name))
    .map((name) => {
      if (removed.test(name))
        return `${name} was a setting of an earlier version, and has no effect. See docs/production.md.`
      const [nearest] = known.toSorted(
        (one, other) => wordsShared(name, other) - wordsShared(name, one) || leven(name, one) - leven(name, other),
      )
      return `${name} is not a setting, and has no effect. Did you mean ${nearest}? See .env.example.`
    })
}

/** Returns how many words two names share, in any order. */
const wordsShared = (one: string, other: string): number =>
  one.split('_').filter((word) => other.split('_').includes(word)).length
