import type { Address, Label } from '@lineage/referral-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { applyChanges, offerKey, toChange, toLabelMap, withoutMoved } from './browserLabels.ts'

const [a, b, c, d] = [1, 2, 3, 4].map(addressOf) as [Address, Address, Address, Address]
const label = (address: Address, text: string, updatedAt = 1): Label => ({ address, text, watched: false, updatedAt })
const texts = (labels: ReadonlyMap<Address, Label>) => [...labels.values()].map(({ text }) => text)

test('behavior: newest first', () => {
  expect(texts(applyChanges(toLabelMap([label(a, 'old', 1), label(b, 'new', 3)]), []))).toEqual(['new', 'old'])
})

test('behavior: a change adds, replaces or deletes, and does not modify the former labels', () => {
  const before = toLabelMap([label(a, 'a'), label(b, 'b')])
  const after = applyChanges(before, [
    { address: a, label: undefined },
    { address: b, label: label(b, 'b2', 5) },
    { address: c, label: label(c, 'c', 9) },
  ])
  expect([texts(after), texts(before)]).toEqual([
    ['c', 'b2'],
    ['a', 'b'],
  ])
})

test('behavior: the later of two changes to one address counts', () => {
  const changes = [label(a, 'first', 2), label(a, 'second', 2)].map((label) => ({ address: a, label }))
  expect(texts(applyChanges(new Map(), changes))).toEqual(['second'])
})

test('property: each address has its last change, else its former label', () => {
  const address = fc.constantFrom(a, b, c, d)
  const made = fc.record({ address, text: fc.string(), watched: fc.boolean(), updatedAt: fc.nat(9) })
  const change = fc.tuple(made, fc.boolean()).map(([label, isSaved]) => ({
    address: label.address,
    label: isSaved ? label : undefined,
  }))
  fc.assert(
    fc.property(fc.array(made), fc.array(change), (former, changes) => {
      const labels = toLabelMap(former)
      const after = applyChanges(labels, changes)
      for (const one of [a, b, c, d]) {
        const last = changes.findLast((change) => change.address === one)
        expect(after.get(one)).toEqual(last ? last.label : labels.get(one))
      }
    }),
  )
})

test.each([
  [{ text: ' 老王\u202e ', watched: false }, '老王'],
  [{ text: '', watched: true }, ''],
])('behavior: %o is a label', (content, text) => {
  expect(toChange(a, content).label).toMatchObject({ address: a, text, watched: content.watched })
})

test('behavior: a label without text that is not watched is deleted', () => {
  expect(toChange(a, { text: ' \u200B', watched: false })).toEqual({ address: a, label: undefined })
})

test('behavior: moved labels leave the browser, except those edited since', () => {
  const inBrowser = toLabelMap([label(a, 'moved', 1), label(b, 'edited since', 7), label(c, 'added since', 8)])
  expect(texts(withoutMoved(inBrowser, [label(a, 'moved', 1), label(b, 'before', 2)]))).toEqual([
    'edited since',
    'added since',
  ])
})

test('behavior: another account, another number of labels or a later edit is another offer', () => {
  const offered = offerKey(a, toLabelMap([label(c, 'x', 5)]))
  expect(offerKey(a, toLabelMap([label(c, 'x', 5)]))).toBe(offered)
  expect(offerKey(b, toLabelMap([label(c, 'x', 5)]))).not.toBe(offered)
  expect(offerKey(a, toLabelMap([label(c, 'y', 6)]))).not.toBe(offered)
  expect(offerKey(a, toLabelMap([label(c, 'x', 5), label(d, 'z', 1)]))).not.toBe(offered)
})
