import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readStartSettings } from './startSettings.ts'

test('default: the demo, on a chain on this machine', () => {
  expect(readStartSettings({ LINEAGE_RPC_URLS: 'https://real.example' })).toMatchObject({
    port: 5173,
    // Its keys are public.
    host: '127.0.0.1',
    readerPort: 42069,
    databaseUrl: null,
    rpcPort: 8545,
    restartAfter: 60_000,
    dataDir: '.lineage',
    rpcUrls: ['http://127.0.0.1:8545'],
    source: 'demo',
  })
})

test('behavior: each start of a demo makes a new secret, unless one is given', () => {
  const secretOf = (given: Record<string, string> = {}) => readStartSettings(given).sessionSecrets[0]
  expect(secretOf()).not.toBe(secretOf())
  const LINEAGE_SESSION_SECRET = 'a secret for tests, of thirty-two bytes'
  expect(secretOf({ LINEAGE_SESSION_SECRET })).toBe(LINEAGE_SESSION_SECRET)
})

test('behavior: with a configuration, reads from LINEAGE_RPC_URLS', () => {
  const given = {
    LINEAGE_CONFIG: 'my.config.ts',
    LINEAGE_RPC_URLS: 'https://a.example',
    LINEAGE_DATA_DIR: '/data',
    LINEAGE_SESSION_SECRET: 'a secret for tests, of thirty-two bytes',
  }
  expect(readStartSettings(given)).toMatchObject({
    dataDir: '/data',
    rpcUrls: ['https://a.example'],
    source: 'chain',
    configPath: join(process.cwd(), 'my.config.ts'),
    databaseUrl: null,
  })
})

test('behavior: a given database is used for a real chain, never for a demo', () => {
  const DATABASE_URL = 'postgres://db.example/lineage'
  const LINEAGE_SESSION_SECRET = 'a secret for tests, of thirty-two bytes'
  const chain = { LINEAGE_CONFIG: 'x.json', LINEAGE_RPC_URLS: 'https://a.example', LINEAGE_SESSION_SECRET }
  expect(readStartSettings({ DATABASE_URL, ...chain }).databaseUrl).toBe(DATABASE_URL)
  expect(readStartSettings({ DATABASE_URL }).databaseUrl).toBeNull()
})

test.each([
  ['a configuration without nodes', { LINEAGE_CONFIG: 'x.json' }, /^LINEAGE_RPC_URLS is missing/],
  [
    'a configuration without a secret',
    { LINEAGE_CONFIG: 'x.json', LINEAGE_RPC_URLS: 'https://a.example' },
    /^LINEAGE_SESSION_SECRET is missing/,
  ],
  ['a port out of range', { RPC_PORT: '0' }, /^RPC_PORT must be a whole number from 1 to 65535\.$/],
  ['a port that is text', { LINEAGE_READER_PORT: 'a' }, /^LINEAGE_READER_PORT must be/],
  ['a port in another notation', { RPC_PORT: '0x10' }, /^RPC_PORT must be/],
  ['a limit of silence that is text', { LINEAGE_RESTART_AFTER: '1m' }, /^LINEAGE_RESTART_AFTER must be/],
  ['a setting that the server refuses', { PORT: 'a' }, /^PORT must be/],
  ['a database of another kind', { DATABASE_URL: 'mysql://db' }, /^DATABASE_URL must begin with postgres:\/\//],
])('error: %s', (_, given, message) => {
  expect(() => readStartSettings(given)).toThrow(message)
})
