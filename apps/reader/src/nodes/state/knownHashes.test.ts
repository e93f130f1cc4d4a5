import { expect, test } from 'vitest'
import { createKnownHashes, hashOf, rememberHash, rememberHead } from './knownHashes.ts'

const block = (number: number, fork = '') => ({ number, hash: `${number}${fork}` })

test.each([
  ['before a head is known', undefined],
  ['far below the head', 1_000_000],
])('behavior: only the last blocks %s are kept', (_, head) => {
  const hashes = createKnownHashes()
  if (head) rememberHead(hashes, block(head))
  for (let number = 1; number <= 20_000; number++) rememberHash(hashes, block(number), head)
  expect(hashes.near.size + hashes.old.size).toBeLessThan(1_100)
  expect([1, 20_000, head ?? 20_000].map((number) => hashOf(hashes, number))).toEqual([
    undefined,
    '20000',
    String(head ?? 20_000),
  ])
})

test('behavior: a lower head forgets the blocks above', () => {
  const hashes = createKnownHashes()
  for (const number of [98, 99]) rememberHash(hashes, block(number), undefined)
  rememberHead(hashes, block(100))
  rememberHead(hashes, block(98, 'b'))
  expect([98, 99, 100].map((number) => hashOf(hashes, number))).toEqual(['98b', undefined, undefined])
})

test('behavior: a higher head forgets the blocks far below', () => {
  const hashes = createKnownHashes()
  rememberHead(hashes, block(100))
  rememberHead(hashes, block(10_000))
  expect([100, 10_000].map((number) => hashOf(hashes, number))).toEqual([undefined, '10000'])
})
