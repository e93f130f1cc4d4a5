import { expect, test } from 'vitest'
import { parseNodeUrl } from './createNodeClient.ts'

test.each([
  ['https://me:100%@node.example/', 'me:100%'],
  ['https://50%off:a%2Fb@node.example/', '50%off:a/b'],
])('behavior: user and password of %s', (text, credentials) => {
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  const name = 'Node 1 (node.example)'
  expect(parseNodeUrl(text, 0)).toEqual({ name, url: 'https://node.example/', headers: { authorization } })
})
