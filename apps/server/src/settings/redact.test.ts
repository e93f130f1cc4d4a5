import { expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

const redact = createRedactor({
  rpcUrls: [
    'https://one.example/v3/0123456789abcdef',
    'https://alchemist:pa%24%24word@two.example',
    'http://127.0.0.1:8545/',
  ],
  nameService: { url: 'https://names.example', apiKey: 'names-k3y', header: 'x-api-key' },
  sessionSecrets: ['a secret for tests, of thirty-two bytes'],
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
