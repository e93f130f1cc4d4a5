import { expect, test } from 'vitest'
import { findUnknownVariables } from './variables.ts'

test.each([
  ['LINEAGE_ORIGINS', 'LINEAGE_ORIGIN'],
  ['LINEAGE_RPC_URL', 'LINEAGE_RPC_URLS'],
  ['LINEAGE_PROXY_TRUST', 'LINEAGE_TRUST_PROXY'],
  ['LINEAGE_SECRET', 'LINEAGE_SESSION_SECRET'],
  ['LINEAGE_MAXAGE', 'LINEAGE_MAX_AGE'],
  ['LINEAGE_DATADIR', 'LINEAGE_DATA_DIR'],
  ['LINEAGE_HSTORY', 'LINEAGE_HISTORY'],
])('error: %s is named with the nearest setting, %s', (name, nearest) => {
  expect(findUnknownVariables({ [name]: 'secret', LINEAGE_SEED: 'a' })).toEqual([
    `${name} is not a setting, and has no effect. Did you mean ${nearest}? See .env.example.`,
  ])
})

test('error: a setting that only earlier versions had is named as such, without one that it only resembles', () => {
  expect(findUnknownVariables({ LINEAGE_INDEXERS: 'http://indexer', LINEAGE_ACCOUNTS_DIR: '/accounts' })).toEqual([
    'LINEAGE_INDEXERS was a setting of an earlier version, and has no effect. See docs/production.md.',
    'LINEAGE_ACCOUNTS_DIR was a setting of an earlier version, and has no effect. See docs/production.md.',
  ])
})

test('behavior: known names and those of other programs are not named', () => {
  expect(findUnknownVariables({ PATH: '/', PORTS: '1', LINEAGE_HOST: '', LINEAGE_SEED: 'a' })).toEqual([])
})
