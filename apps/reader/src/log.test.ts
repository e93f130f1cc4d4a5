import { expect, test } from 'vitest'
import { hideSecrets } from './log.ts'

const hide = hideSecrets([
  'https://someone:a-long-password@node.example/v3/0123456789abcdef',
  'https://other.example/rpc?key=fedcba98',
  'postgres://postgres:postgres@127.0.0.1/index',
])

test.each([
  ['in a URL', 'fetch https://node.example/v3/0123456789abcdef failed', 'fetch https://node.example/v3/*** failed'],
  ['a password by itself', 'bad password: a-long-password', 'bad password: ***'],
  ['a value of a query', '{"key":"fedcba98"}', '{"key":"***"}'],
  [
    'credentials in any URL',
    "input: 'postgres://postgres:postgres@127.0.0.1/index'",
    "input: 'postgres://***@127.0.0.1/index'",
  ],
  ['no advice', 'write postgres://user:password@host/database', 'write postgres://user:password@host/database'],
  ['no secret', 'Connected to postgres, node.example, v3', 'Connected to postgres, node.example, v3'],
])('behavior: %s', (_, text, expected) => {
  expect(hide(text)).toBe(expected)
})
