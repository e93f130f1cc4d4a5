import { expect, test } from 'vitest'
import { readLogFormat, readSettings, SettingError } from './settings.ts'

const DATABASE_URL = 'postgres://user:p%40ss@host/index'
const LINEAGE_RPC_URLS = 'http://127.0.0.1:8545'
const valid = { DATABASE_URL, LINEAGE_RPC_URLS }

test.each([
  ['no database', { DATABASE_URL: '' }, 'DATABASE_URL is not set'],
  ['a database without a scheme', { DATABASE_URL: 'user:secret@host/index' }, 'DATABASE_URL must be the URL'],
  ['a database whose URL has a fragment', { DATABASE_URL: 'postgres://u:secret#x@host:54x/i' }, 'DATABASE_URL must be'],
  ['no nodes', { LINEAGE_RPC_URLS: ' , ' }, 'LINEAGE_RPC_URLS is not set'],
  ['a node that is not http', { LINEAGE_RPC_URLS: 'http://x,ftp://secret' }, 'address 2 is not an http or https URL'],
  ['a port that is a word', { LINEAGE_READER_PORT: 'abc' }, 'LINEAGE_READER_PORT is "abc"'],
  ['a port that is too large', { LINEAGE_READER_PORT: '65536' }, 'LINEAGE_READER_PORT is "65536"'],
  ['an interval of an hour', { LINEAGE_POLL_INTERVAL: '3600000' }, 'LINEAGE_POLL_INTERVAL must be'],
])('error: %s', (_, change, words) => {
  let message = ''
  try {
    readSettings({ ...valid, ...change }, 'needed')
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError)
    message = (error as Error).message
  }
  expect(message).toContain(words)
  expect(message).not.toContain('secret')
})

test.each([
  ['200 ms for local nodes', { LINEAGE_RPC_URLS: 'http://localhost:1,http://[::1]:2' }, 200],
  ['600 ms if a node is elsewhere', { LINEAGE_RPC_URLS: 'http://localhost:1,https://node.example' }, 600],
  ['the given one', { LINEAGE_POLL_INTERVAL: '1000' }, 1_000],
])('behavior: the interval is %s', (_, change, expected) => {
  expect(readSettings({ ...valid, ...change }, 'needed').pollInterval).toBe(expected)
})

test('behavior: a blank value counts as none', () => {
  const names = ['LINEAGE_POLL_INTERVAL', 'LINEAGE_SWEEPS', 'LINEAGE_READER_PORT', 'LINEAGE_READER_HOST'] as const
  const blank = Object.fromEntries(names.map((name) => [name, ' ']))
  expect(readSettings({ ...valid, ...blank }, 'needed')).toEqual(readSettings(valid, 'needed'))
  expect(readLogFormat({ LINEAGE_LOG: ' ' })).toBe('text')
})

test('behavior: commands that read no node need none', () => {
  expect(readSettings({ DATABASE_URL }, 'unused')).toMatchObject({ urls: [], host: '127.0.0.1', port: 42_069 })
})

test('behavior: the log is text unless it is json', () => {
  expect([readLogFormat({}), readLogFormat({ LINEAGE_LOG: 'json' })]).toEqual(['text', 'json'])
  expect(() => readLogFormat({ LINEAGE_LOG: 'xml' })).toThrow('LINEAGE_LOG must be text or json.')
})
