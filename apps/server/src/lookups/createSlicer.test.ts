import type { Slices } from '@lineage/forest'
import { expect, test } from 'vitest'
import { createSlicer } from './createSlicer.ts'

/** Computes an answer in `count` slices, each of which takes a turn. */
function* slow(answer: string, count: number, log: string[]): Slices<string> {
  for (let slice = 0; slice < count; slice++) {
    const before = process.threadCpuUsage()
    // Two milliseconds, however busy the machine is.
    while (process.threadCpuUsage(before).user + process.threadCpuUsage(before).system < 2_000);
    log.push(answer)
    yield
  }
  return answer
}

test('behavior: other answers run between the slices of a large one, whose work is measured', async () => {
  const log: string[] = []
  const asked = createSlicer()(slow('large', 5, log))
  const other = () => {
    log.push('other')
    if (log.length < 20) setImmediate(other)
  }
  setImmediate(other)
  const { answer, work } = await asked
  expect([answer, work > 7]).toEqual(['large', true])
  expect(log.slice(0, 6).filter((entry) => entry === 'other').length).toBeGreaterThan(1)
})

test('behavior: a small answer does not wait, and large ones are computed one at a time', async () => {
  const inSlices = createSlicer()
  const log: string[] = []
  const large = [inSlices(slow('a', 4, log)), inSlices(slow('b', 4, log))]
  expect(await inSlices(slow('small', 0, log))).toEqual({ answer: 'small', work: 0 })
  expect(log).toEqual(['a', 'b'])
  await Promise.all(large)
  expect(log).toEqual(['a', 'b', 'a', 'a', 'a', 'b', 'b', 'b'])
})

test('error: a failing answer does not stop the next ones, and too many are refused', async () => {
  const inSlices = createSlicer()
  function* failing(): Slices<string> {
    yield* slow('x', 1, [])
    throw new Error('failed')
  }
  const first = inSlices(failing())
  const others = Array.from({ length: 15 }, () => inSlices(slow('y', 1, [])))
  await expect(inSlices(slow('z', 1, []))).rejects.toMatchObject({ code: 'unavailable' })
  await expect(first).rejects.toThrow('failed')
  expect((await Promise.all(others)).map(({ answer }) => answer)).toEqual(others.map(() => 'y'))
  expect((await inSlices(slow('z', 2, []))).answer).toBe('z')
})
