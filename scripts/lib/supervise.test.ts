import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Child, startChild } from './startChild.ts'
import { type Supervised, type SuperviseParameters, supervise } from './supervise.ts'
import { createCleanUp } from './testing.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

function start(program: string, parameters: Partial<SuperviseParameters> = {}) {
  const module = made.module(`process.on('disconnect', () => process.exit()); ${program}`)
  const logFile = join(made.folder(), 'child.log')
  const launched: Child[] = []
  const crashes: Parameters<SuperviseParameters['onCrash']>[0][] = []
  const supervised: Supervised = supervise({
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
  made.later(() => supervised.stop())
  return { supervised, launched, crashes }
}

test('behavior: restarts after kill -9', async () => {
  const { launched, crashes } = start('setInterval(() => {}, 1000)')
  process.kill(launched[0]?.pid ?? 0, 'SIGKILL')
  await expect.poll(() => launched.length).toBe(2)
  expect(launched[1]?.pid).not.toBe(launched[0]?.pid)
  expect(crashes).toEqual([{ ending: { code: null, signal: 'SIGKILL' }, tail: [], count: 1, wait: 20 }])
})

test('behavior: a process that hangs is killed and restarted', async () => {
  const { supervised, launched, crashes } = start('process.on("SIGTERM", () => {}); console.log("in"); for (;;) {}')
  await expect.poll(() => launched[0]?.tail()).toEqual(['in'])
  supervised.kill()
  await expect.poll(() => launched.length).toBe(2)
  expect(crashes).toMatchObject([{ ending: { signal: 'SIGKILL' }, count: 1 }])
  // It would not end by itself.
  supervised.kill()
})

test('behavior: waits longer after each crash in a row', async () => {
  const { crashes } = start(`console.log('no'); process.exit(4)`)
  await expect.poll(() => crashes.length).toBeGreaterThan(3)
  expect(crashes.slice(0, 4).map(({ wait }) => wait)).toEqual([20, 40, 80, 160])
  expect(crashes[0]).toMatchObject({ ending: { code: 4 }, count: 1 })
})

test('behavior: after a long run the wait is short again', async () => {
  const { crashes } = start('setTimeout(() => process.exit(4), 30)', { recoveredAfter: 10 })
  await expect.poll(() => crashes.length).toBeGreaterThan(2)
  expect(crashes.slice(0, 3).map(({ wait }) => wait)).toEqual([20, 20, 20])
})

test('behavior: gives up when onCrash says so', async () => {
  const { supervised, launched } = start('process.exit(4)', {
    onCrash: ({ count }) => (count === 3 ? 'give_up' : 'restart'),
  })
  expect(await supervised.ended).toBe('given_up')
  expect(launched).toHaveLength(3)
})

test('behavior: stopping a running process is no crash', async () => {
  const { supervised, launched, crashes } = start('setInterval(() => {}, 1000)')
  await supervised.stop()
  expect([await supervised.ended, launched.length, crashes]).toEqual(['stopped', 1, []])
})

test('behavior: stopping during the wait prevents the restart', async () => {
  const { supervised, launched, crashes } = start('process.exit(4)', { firstWait: 60_000 })
  await expect.poll(() => crashes.length).toBe(1)
  await supervised.stop()
  expect([await supervised.ended, launched.length]).toEqual(['stopped', 1])
})
