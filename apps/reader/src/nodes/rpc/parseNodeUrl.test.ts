import { expect, test } from 'vitest'
import { parseNodeUrl } from './parseNodeUrl.ts'

test.each([
  ['https://node.example/key', { url: 'https://node.example/key', headers: {}, name: 'node 2 (node.example)' }],
  [
    'http://user:p%40ss@node.example:8545/v3?key=1',
    {
      url: 'http://node.example:8545/v3?key=1',
      headers: { authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}` },
      name: 'node 2 (node.example:8545)',
    },
  ],
  [
    'http://user:100%@node.example',
    {
      url: 'http://node.example/',
      headers: { authorization: `Basic ${Buffer.from('user:100%').toString('base64')}` },
      name: 'node 2 (node.example)',
    },
  ],
  ['ftp://node.example', undefined],
  ['node.example', undefined],
])('behavior: %s', (text, expected) => {
  expect(parseNodeUrl(text, 2)).toEqual(expected)
})
