import { expect, test } from 'vitest'
import { throttleByCost } from './throttleByCost.ts'

test('behavior: an output that took 5 ms is returned for 100 ms, with its input', () => {
  let time = 0
  const double = throttleByCost(
    (input: number) => {
      time += 5
      return input * 2
    },
    () => time,
  )
  expect(double(1)).toEqual({ input: 1, output: 2 })
  time += 99
  expect(double(2)).toEqual({ input: 1, output: 2 })
  time += 1
  expect(double(3)).toEqual({ input: 3, output: 6 })
})

test('error: a failure is not kept', () => {
  let failing = true
  const double = throttleByCost((input: number) => {
    if (failing) throw new Error('no')
    return input * 2
  })
  expect(() => double(1)).toThrow('no')
  failing = false
  expect(double(2).output).toBe(4)
})
