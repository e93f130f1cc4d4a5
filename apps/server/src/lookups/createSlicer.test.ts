import type { Slices } from '@lineage/forest'
import { expect, test } from 'vitest'
import { type Asker, createSlicer, createWorkMeter } from './createSlicer.ts'

const by = (visitor = '192.0.2.1', signal = new AbortController().signal): Asker => ({
  visitor,
  signal,
  meter: createWorkMeter(),
})

/** Computes an answer in `count` slices, each of which takes a turn. */
function* slow(answer: string, count: number, log: string[]): Slices<string> {
  for (let slice = 0; slice < count; slice++) {
    const before = process.threadCpuUsage()
    const start = performance.now()
    // Two milliseconds of the clock, and of the processor, whose time is counted in steps on some machines.
    for (let spent = 0; spent < 2_000 || performance.now() - start < 2; ) {
      const { user, system } = process.threadCpuUsage(before)
      spent = user + system
    }
    log.push(answer)
    yield
  }
  return answer
}

test('behavior: other answers run between the slices of a large one, whose work is measured', async () => {
  const log: string[] = []
  const asker = by()
  const asked = createSlicer()(slow('large', 5, log), asker)
  const other = () => {
    log.push('other')
    if (log.length < 20) setImmediate(other)
  }
  setImmediate(other)
  expect([await asked, asker.meter.work() > 7]).toEqual(['large', true])
  expect(log.slice(0, 6).filter((entry) => entry === 'other').length).toBeGreaterThan(1)
})

test('behavior: a small answer does not wait, and large ones are computed one at a time', async () => {
  const inSlices = createSlicer()
  const log: string[] = []
  const large = [inSlices(slow('a', 4, log), by()), inSlices(slow('b', 4, log), by())]
  expect(await inSlices(slow('small', 0, log), by())).toBe('small')
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
  const first = inSlices(failing(), by())
  const others = Array.from({ length: 16 }, () => inSlices(slow('y', 1, []), by()))
  await expect(inSlices(slow('z', 1, []), by())).rejects.toMatchObject({ code: 'unavailable' })
  await expect(first).rejects.toThrow('failed')
  expect(await Promise.all(others)).toEqual(others.map(() => 'y'))
  expect(await inSlices(slow('z', 2, []), by())).toBe('z')
})

test('behavior: an aborted answer leaves the queue at once, or stops within a slice', async () => {
  const inSlices = createSlicer()
  const log: string[] = []
  const controllers = [new AbortController(), new AbortController()]
  const [running, waiting] = controllers.map(({ signal }) =>
    inSlices(slow('gone', 1_000, log), by('192.0.2.1', signal)),
  )
  const next = inSlices(slow('next', 2, log), by())
  for (const controller of controllers) controller.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  expect(log).toEqual(['gone', 'gone', 'next'])
  await expect(running).rejects.toThrow('left')
  expect(await next).toBe('next')
  expect(log).toEqual(['gone', 'gone', 'next', 'next'])
})

test('attack: a visitor who asks for many large answers leaves turns and places to others', async () => {
  const inSlices = createSlicer()
  const log: string[] = []
  const many = Array.from({ length: 17 }, () => inSlices(slow('many', 2, log), by()).catch(({ code }) => code))
  expect(await inSlices(slow('other', 2, log), by('198.51.100.1'))).toBe('other')
  // A slice of each at once, then the rest of the first, and the other's.
  expect(log.slice(18)).toEqual(['many', 'other'])
  const answers = await Promise.all(many)
  expect(answers.filter((answer) => answer === 'unavailable')).toEqual(['unavailable'])
})
