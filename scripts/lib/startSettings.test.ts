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

const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const node = 'https://a.example'

test.each([
  ['a node after it', {}, [contract.toLowerCase(), node]],
  ['nodes in any order', {}, ['https://a.example', contract]],
  ['a node in LINEAGE_RPC_URLS', { LINEAGE_RPC_URLS: node }, [contract]],
  [
    'another configuration, which is not used',
    { LINEAGE_CONFIG: 'x.json', LINEAGE_COMMUNITIES: 'x' },
    [contract, node],
  ],
])('behavior: a contract with %s', (_, given, words) => {
  expect(readStartSettings({ LINEAGE_DATA_DIR: '/data', PORT: '5180', ...given }, words)).toMatchObject({
    source: 'contract',
    contract,
    rpcUrls: [node],
    configPath: `/data/5180/${contract}.json`,
    host: '127.0.0.1',
    communities: null,
    databaseUrl: null,
  })
})

test('behavior: several nodes of the command come before those of LINEAGE_RPC_URLS, which are not used', () => {
  const words = [contract, node, 'https://b.example,https://c.example']
  const { rpcUrls } = readStartSettings({ LINEAGE_RPC_URLS: 'https://d.example' }, words)
  expect(rpcUrls).toEqual([node, 'https://b.example', 'https://c.example'])
})

test.each([
  ['no node', [contract], `npm start ${contract} https://your-node.example`],
  ['no contract', [node], 'Name the contract whose community to show before the node'],
  ['an address that is too short', ['0x12', node], '"0x12" is not the address of a contract: 0x and 40 hex digits'],
  ['an address without 0x', [contract.slice(2), node], 'is not the address of a contract'],
  ['a name', ['panther', node], '"panther" is not the address of a contract'],
  ['an address with a typing error', [contract.replace('5a', '5A'), node], 'has a typing error'],
  ['two contracts', [contract, contract, node], 'Name one contract, then nodes'],
  ['a node of another protocol', [contract, 'wss://a.example'], '"wss://a.example" is not the URL of a node'],
  ['a node that is no URL', [contract, 'http://'], 'LINEAGE_RPC_URLS must be http(s) URLs'],
])('error: a contract with %s', (_, words, message) => {
  expect(() => readStartSettings({}, words)).toThrow(message)
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
  ['a database of another kind', { DATABASE_URL: 'mysql://db' }, /^DATABASE_URL must be the URL postgres:\/\//],
])('error: %s', (_, given, message) => {
  expect(() => readStartSettings(given)).toThrow(message)
})
