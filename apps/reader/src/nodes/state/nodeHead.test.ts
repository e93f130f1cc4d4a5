import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonNumber, noHead, onHeadReported } from './nodeHead.ts'

const report = (numbers: readonly number[], interval = 1_000) =>
  numbers.reduce((head, number, index) => onHeadReported(head, number, index * interval), noHead)

test('behavior: two nodes behind one URL, in turns', () => {
  const head = report([200, 140, 200, 140])
  expect(head).toMatchObject({ number: 200, spread: { blocks: 60 } })
  expect(commonNumber(head)).toBe(140)
})

test('behavior: forgets a spread that was not seen for a minute', () => {
  const head = report([200, 140])
  expect(commonNumber(onHeadReported(head, 201, 61_000))).toBe(141)
  expect(commonNumber(onHeadReported(head, 201, 61_002))).toBe(201)
})

test('behavior: half of a spread confirms it', () => {
  const head = report([200, 140])
  expect(onHeadReported(head, 169, 50_000).spread).toEqual({ blocks: 60, at: 50_000 })
  expect(onHeadReported(head, 170, 50_000).spread).toEqual({ blocks: 60, at: 1_000 })
})

test('property: the head is the highest report, and no report of a minute is below the common number', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 50 }), (numbers) => {
      const head = report(numbers)
      expect(head.number).toBe(Math.max(...numbers))
      expect(commonNumber(head)).toBeLessThanOrEqual(numbers.at(-1) as number)
    }),
  )
})
