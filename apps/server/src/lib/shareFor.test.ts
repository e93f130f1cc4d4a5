import { expect, test } from 'vitest'
import { shareFor } from './shareFor.ts'

test('behavior: a result is shared until it is too old, a failure is not kept', async () => {
  let time = 0
  let count = 0
  const get = shareFor(
    10,
    async () => {
      count++
      if (count === 2) throw new Error('failed')
      return count
    },
    () => time,
  )
  expect([await get(), await get()]).toEqual([1, 1])
  time = 10
  await expect(get()).rejects.toThrow('failed')
  expect(await get()).toBe(3)
})
