import { expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

const secret = 'a secret for tests, of thirty-two bytes'
const redact = createRedactor({
  rpcUrls: [
    'https://one.example/v3/0123456789abcdef',
    'https://alchemist:pa%24%24word@two.example',
    'http://127.0.0.1:8545/',
  ],
  nameService: { url: 'https://names.example', apiKey: 'names-k3y', header: 'x-api-key' },
  sessionSecrets: [secret],
  databaseUrl: 'postgres://lineage:s3cret-word@db.example/lineage',
})

test.each([
  ['Failed to parse URL from https://one.example/v3/0123456789abcdef', 'Failed to parse URL from one.example'],
  ['project id 0123456789abcdef is over its limit', 'project id *** is over its limit'],
  ['alchemist pa%24%24word pa$$word', '*** *** ***'],
  ['header names-k3y', 'header ***'],
  ['connect postgres://lineage:s3cret-word@db.example/lineage', 'connect db.example'],
  ['password authentication failed for user "lineage"', 'password authentication failed for user "lineage"'],
  ['redis://me:other@cache.example/0', 'redis://***@cache.example/0'],
  ['signed with a secret for tests, of thirty-two bytes', 'signed with ***'],
  ['http://127.0.0.1:8545/ refused', '127.0.0.1:8545 refused'],
])('%s', (text, redacted) => expect(redact(text)).toBe(redacted))

test('behavior: a database whose host is among its options has no secret but the password', () => {
  const rest = { rpcUrls: [], nameService: null, sessionSecrets: [secret] as [string] }
  const options = '?host=/var/run/postgresql&application_name=lineage&password=an0ther-word'
  const hide = createRedactor({ ...rest, databaseUrl: `postgres://me:s3cret-word@/lineage${options}` })
  expect(hide('lineage: s3cret-word, an0ther-word at /var/run/postgresql')).toBe(
    'lineage: ***, *** at /var/run/postgresql',
  )
})
