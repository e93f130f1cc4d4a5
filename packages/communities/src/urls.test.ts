import { expect, test } from 'vitest'
import { createRedactor, parseNodeUrl } from './urls.ts'

const basic = (credentials: string) => ({ authorization: `Basic ${Buffer.from(credentials).toString('base64')}` })

test.each([
  ['https://node.example/key', { url: 'https://node.example/key', headers: {}, host: 'node.example' }],
  [
    'http://user:p%40ss@node.example:8545/v3?key=1',
    { url: 'http://node.example:8545/v3?key=1', headers: basic('user:p@ss'), host: 'node.example:8545' },
  ],
  ['http://user:100%@node.example', { url: 'http://node.example/', headers: basic('user:100%'), host: 'node.example' }],
  [
    'https://50%off:a%2Fb@node.example/',
    { url: 'https://node.example/', headers: basic('50%off:a/b'), host: 'node.example' },
  ],
  ['ftp://node.example', undefined],
  ['node.example', undefined],
])('behavior: the node %s', (text, expected) => {
  expect(parseNodeUrl(text)).toEqual(expected)
})

const redact = createRedactor({
  urls: [
    'https://one.example/v3/0123456789abcdef',
    'https://alchemist:pa%24%24word@two.example',
    'https://three.example/rpc?key=fedcba98',
    'http://127.0.0.1:8545/',
    'https://names.example',
    'postgres://lineage:s3cret-word@db.example/lineage',
  ],
  keys: ['names-k3y', 'a secret for tests, of thirty-two bytes'],
})

test.each([
  ['Failed to parse URL from https://one.example/v3/0123456789abcdef', 'Failed to parse URL from one.example'],
  ['project id 0123456789abcdef is over its limit', 'project id *** is over its limit'],
  ['{"key":"fedcba98"}', '{"key":"***"}'],
  ['alchemist pa%24%24word pa$$word', '*** *** ***'],
  ['header names-k3y', 'header ***'],
  ['connect postgres://lineage:s3cret-word@db.example/lineage', 'connect db.example'],
  ['password authentication failed for user "lineage"', 'password authentication failed for user "lineage"'],
  ['redis://me:other@cache.example/0', 'redis://***@cache.example/0'],
  ["input: '//me:other@cache.example'", "input: '//***@cache.example'"],
  ['write postgres://user:password@host/database', 'write postgres://user:password@host/database'],
  ['signed with a secret for tests, of thirty-two bytes', 'signed with ***'],
  ['http://127.0.0.1:8545/ refused', '127.0.0.1:8545 refused'],
  ['Connected to postgres, one.example, v3', 'Connected to postgres, one.example, v3'],
])('behavior: %s', (text, redacted) => expect(redact(text)).toBe(redacted))

test('behavior: a database whose host is among its options has no secret but the password', () => {
  const options = '?host=/var/run/postgresql&application_name=lineage&password=an0ther-word'
  const hide = createRedactor({ urls: [`postgres://me:s3cret-word@/lineage${options}`] })
  expect(hide('lineage: s3cret-word, an0ther-word at /var/run/postgresql')).toBe(
    'lineage: ***, *** at /var/run/postgresql',
  )
})

test('behavior: a password that is the name of the user stays in other text', () => {
  const hide = createRedactor({ urls: ['postgres://postgres:postgres@127.0.0.1/index'] })
  expect(hide('postgres at postgres://postgres:postgres@127.0.0.1/index')).toBe('postgres at 127.0.0.1')
})

test('behavior: words in the path of a node stay in other text and in the names of hosts, keys do not', () => {
  const hide = createRedactor({
    urls: [
      'https://archive-lyon.example/lyon/k3y-of-lyon',
      'https://bsc.example/bsc/mainnet/json-rpc/node-1?network=mainnet&key=0a1b2c3d',
      'https://paris1.example/archive-paris1/mainnet-0a1b2c',
      'https://rome.example/12-34-56-78/a-b-c-d',
    ],
  })
  expect(hide('node 2 (bsc.example): the json-rpc of mainnet, node-1, needs an archive')).toBe(
    'node 2 (bsc.example): the json-rpc of mainnet, node-1, needs an archive',
  )
  expect(hide('node 3 (paris1.example): archive')).toBe('node 3 (paris1.example): archive')
  expect(hide('k3y-of-lyon 0a1b2c3d mainnet-0a1b2c archive-paris1 12-34-56-78 a-b-c-d')).toBe('*** *** *** *** *** ***')
})

test('behavior: a word of a path that is in the host of a node is shown', () => {
  const hide = createRedactor({ urls: ['https://one.example/Geneva', 'https://two.geneva.example/geneva'] })
  expect(hide('node 1 (one.example), node 2 (two.geneva.example)')).toBe(
    'node 1 (one.example), node 2 (two.geneva.example)',
  )
})
