import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Child, startChild } from './child.ts'
import { type KeepParameters, type Kept, keep } from './keep.ts'
import { createCleanUp } from './testing.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

function start(program: string, parameters: Partial<KeepParameters> = {}) {
  const module = made.module(`process.on('disconnect', () => process.exit()); ${program}`)
  const logFile = join(made.folder(), 'kept.log')
  const launched: Child[] = []
  const crashes: Parameters<KeepParameters['onCrash']>[0][] = []
  const kept: Kept = keep({
    launch() {
      const child = startChild({ module, logFile })
      launched.push(child)
      return child
    },
    onCrash(crash) {
      crashes.push(crash)
      return 'restart'
    },
    firstWait: 20,
    ...parameters,
  })
  made.later(() => kept.stop())
  return { kept, launched, crashes }
}

test('behavior: started again after kill -9', async () => {
  const { launched, crashes } = start('setInterval(() => {}, 1000)')
  process.kill(launched[0]?.pid ?? 0, 'SIGKILL')
  await expect.poll(() => launched.length, { timeout: 10_000 }).toBe(2)
  expect(launched[1]?.pid).not.toBe(launched[0]?.pid)
  expect(crashes).toEqual([{ ending: { code: null, signal: 'SIGKILL' }, tail: [], inARow: 1, wait: 20 }])
})

test('behavior: one crash after another waits longer each time', async () => {
  const { crashes } = start(`console.log('no'); process.exit(4)`)
  await expect.poll(() => crashes.length, { timeout: 20_000 }).toBeGreaterThan(3)
  expect(crashes.slice(0, 4).map(({ wait }) => wait)).toEqual([20, 40, 80, 160])
  expect(crashes[0]).toMatchObject({ ending: { code: 4 }, inARow: 1 })
})

test('behavior: what has lived long enough begins at the shortest wait', async () => {
  const { crashes } = start('setTimeout(() => process.exit(4), 30)', { recoveredAfter: 10 })
  await expect.poll(() => crashes.length, { timeout: 20_000 }).toBeGreaterThan(2)
  expect(crashes.slice(0, 3).map(({ wait }) => wait)).toEqual([20, 20, 20])
})

test('behavior: given up when told', async () => {
  const { kept, launched } = start('process.exit(4)', {
    onCrash: ({ inARow }) => (inARow === 3 ? 'give_up' : 'restart'),
  })
  expect(await kept.ended).toBe('given_up')
  expect(launched).toHaveLength(3)
})

test('behavior: stop while running, not counted as a crash', async () => {
  const { kept, launched, crashes } = start('setInterval(() => {}, 1000)')
  await kept.stop()
  expect([await kept.ended, launched.length, crashes]).toEqual(['stopped', 1, []])
})

test('behavior: stop while waiting starts nothing more', async () => {
  const { kept, launched, crashes } = start('process.exit(4)', { firstWait: 60_000 })
  await expect.poll(() => crashes.length, { timeout: 10_000 }).toBe(1)
  await kept.stop()
  expect([await kept.ended, launched.length]).toEqual(['stopped', 1])
})
