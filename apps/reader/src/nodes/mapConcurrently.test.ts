import { expect, test } from 'vitest'
import { mapConcurrently } from './mapConcurrently.ts'

test('behavior: keeps the order, and runs no more tasks at once than the limit', async () => {
  let running = 0
  let most = 0
  const results = await mapConcurrently([5, 1, 4, 2, 3], 2, async (value) => {
    most = Math.max(most, ++running)
    for (let turn = 0; turn < value; turn++) await Promise.resolve()
    running--
    return value * 10
  })
  expect(results).toEqual([50, 10, 40, 20, 30])
  expect(most).toBe(2)
})

test('error: no further task begins after a failure', async () => {
  const begun: number[] = []
  const task = async (value: number) => {
    begun.push(value)
    if (value === 2) throw new Error('no')
    await new Promise<void>((resolve) => setImmediate(resolve))
    return value
  }
  await expect(mapConcurrently([1, 2, 3, 4], 2, task)).rejects.toThrow('no')
  await new Promise<void>((resolve) => setImmediate(resolve))
  expect(begun).toEqual([1, 2])
})
