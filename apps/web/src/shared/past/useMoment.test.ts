import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLastBlock } from './useMoment.ts'

test('property: finds the last block up to a time', async () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(gaps, fc.nat(), async (all, place) => {
      const times = [1_000]
      for (const gap of all) times.push((times.at(-1) ?? 0) + gap)
      const last = times.at(-1) ?? 0
      const until = 1_000 + (place % Math.max(1, last - 1_000))
      if (until >= last) return
      const known = (block: number) => ({ block, timestamp: times[block] ?? 0 })
      const found = await findLastBlock(until, { first: known(0), later: known(times.length - 1) }, async (block) =>
        Number(times[block]),
      )
      expect(found).toBe(times.findLastIndex((time) => time <= until))
    }),
  )
})

test('behavior: few blocks are read on a chain of fifty million whose block time has changed twice', async () => {
  const timeOf = (block: number) =>
    Math.floor(
      Math.min(block, 3e7) * 3 + Math.max(0, Math.min(block, 4e7) - 3e7) * 1.5 + Math.max(0, block - 4e7) * 0.75,
    )
  let reads = 0
  const first = { block: 1e7, timestamp: timeOf(1e7) }
  const later = { block: 5e7, timestamp: timeOf(5e7) }
  const found = await findLastBlock(timeOf(36_543_210), { first, later }, async (block) => {
    reads++
    return timeOf(block)
  })
  expect(found).toBe(36_543_210)
  expect(reads).toBeLessThan(30)
})
