import { expect, test } from 'vitest'
import { paced } from './paced.ts'

test('behavior: what took 5 ms is answered again for 100 ms, with what it was computed from', () => {
  let time = 0
  const double = paced(
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

test('error: a failure is not answered again', () => {
  let failing = true
  const double = paced((input: number) => {
    if (failing) throw new Error('no')
    return input * 2
  })
  expect(() => double(1)).toThrow('no')
  failing = false
  expect(double(2).output).toBe(4)
})
