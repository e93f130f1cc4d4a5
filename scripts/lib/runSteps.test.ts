import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { labelOf, runSteps, type Step } from './runSteps.ts'
import { createCleanUp } from './testing.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

/** Runs steps whose commands end when the test decides, each with its own log. */
function start(steps: Step[], slots = 2) {
  const folder = made.folder()
  const running = new Map<string, (code: number) => void>()
  const started: string[] = []
  const outcomes = runSteps(steps, {
    slots,
    logOf: (step) => join(folder, `${labelOf(step)}.log`),
    run: ([name = ''], { log = '' } = {}) => {
      writeFileSync(log, `output of ${name}`)
      started.push(name)
      return new Promise((resolve) => running.set(name, resolve))
    },
  })
  return { outcomes, started, end: (name: string, code = 0) => running.get(name)?.(code) }
}

const step = (name: string, rest: Partial<Step> = {}): Step => ({ name, command: [name], ...rest })

test('behavior: runs two at a time, in order; a failure stops no other step', async () => {
  const { outcomes, started, end } = start(['a', 'b', 'c'].map((name) => step(name)))
  expect(started).toEqual(['a', 'b'])
  end('b', 1)
  await expect.poll(() => started).toEqual(['a', 'b', 'c'])
  end('c')
  end('a')
  expect(
    (await outcomes).map(({ step: { name }, counts: { passed, failed }, log }) => [name, passed, failed, log]),
  ).toEqual([
    ['a', 1, 0, 'output of a'],
    ['b', 0, 1, 'output of b'],
    ['c', 1, 0, 'output of c'],
  ])
})

test('behavior: a step waits for the step it comes after; others start before it', async () => {
  const { outcomes, started, end } = start([step('build'), step('size', { after: ['build'] }), step('unit')])
  expect(started).toEqual(['build', 'unit'])
  end('build')
  await expect.poll(() => started).toEqual(['build', 'unit', 'size'])
  end('size')
  end('unit')
  expect(await outcomes).toHaveLength(3)
})

test('behavior: a step waits for all steps it comes after', async () => {
  const { outcomes, started, end } = start([step('a'), step('b'), step('c', { after: ['a', 'b'] })], 3)
  end('a')
  await expect.poll(() => started).toEqual(['a', 'b'])
  end('b')
  await expect.poll(() => started).toEqual(['a', 'b', 'c'])
  end('c')
  expect(await outcomes).toHaveLength(3)
})

test('behavior: counts a report, but not one of an earlier run', async () => {
  const folder = made.folder()
  const count = ({ tests }: { tests: number }) => ({ passed: tests, failed: 0, notes: [] })
  const report = (name: string) => ({ file: join(folder, name), count })
  writeFileSync(join(folder, 'old'), '{"tests":5}')
  const outcomes = await runSteps([step('old', { report: report('old') }), step('new', { report: report('new') })], {
    slots: 1,
    logOf: () => undefined,
    async run([name]) {
      if (name === 'new') writeFileSync(join(folder, 'new'), '{"tests":7}')
      return 0
    },
  })
  expect(outcomes.map(({ counts }) => counts)).toEqual([
    { passed: 0, failed: 1, notes: ['old left no report (code 0)'] },
    { passed: 7, failed: 0, notes: [] },
  ])
})

test('error: steps that wait for each other', async () => {
  const { outcomes } = start([step('a', { after: ['b'] }), step('b', { after: ['a'] })])
  await expect(outcomes).rejects.toThrow('a waits for a step that waits for it.')
})
