import { expect, test } from 'vitest'
import { countPlaywright, countSizes, countVitest, sum, withRunner } from './runSteps.ts'

const none = { passed: 0, failed: 0, notes: [] }

test('behavior: Vitest: a file that fails before its first test is a failure', () => {
  const file = (name: string, status: string, assertions: string[]) => ({
    name,
    status,
    assertionResults: assertions.map((one) => ({ status: one })),
  })
  const testResults = [
    file('good.test.ts', 'passed', ['passed', 'passed', 'passed']),
    file('bad.test.ts', 'failed', ['failed', 'passed']),
    file('broken.test.ts', 'failed', []),
  ]
  expect(countVitest({ numPassedTests: 4, numFailedTests: 1, testResults })).toEqual({
    passed: 4,
    failed: 2,
    notes: ['broken.test.ts failed outside its tests'],
  })
})

test('behavior: Playwright: a retried test and an error outside the tests are failures', () => {
  const stats = { expected: 5, unexpected: 2, flaky: 1, skipped: 9 }
  const errors = [{ message: 'no server\nat …' }]
  expect(countPlaywright({ stats, errors })).toEqual({ passed: 5, failed: 4, notes: ['no server'] })
})

test('behavior: size-limit: each budget is a test', () => {
  const report = [
    { name: 'Page', passed: true, size: 133_013, sizeLimit: 140_000 },
    { name: 'Dialog', passed: false, size: 40_001, sizeLimit: 40_000 },
  ]
  expect(countSizes(report)).toEqual({ passed: 1, failed: 1, notes: ['Dialog: 40001 B of 40000 B'] })
})

test('error: size-limit fails', () => {
  expect(countSizes({ error: 'No kit' })).toEqual({ passed: 0, failed: 1, notes: ['size-limit: No kit'] })
})

test.each([
  ['success', 0, { ...none, passed: 3 }, { ...none, passed: 3 }],
  ['failed tests', 1, { ...none, failed: 2 }, { ...none, failed: 2 }],
  ['no report', 0, undefined, { passed: 0, failed: 1, notes: ['it left no report (code 0)'] }],
  [
    'a bad end without a failed test',
    1,
    { ...none, passed: 3 },
    { passed: 3, failed: 1, notes: ['it ended with code 1 although no test failed'] },
  ],
])('behavior: %s', (_, code, counts, expected) => {
  expect(withRunner('it', { code, counts })).toEqual(expected)
})

test('behavior: adds up results', () => {
  expect(sum([])).toEqual(none)
  expect(
    sum([
      { passed: 1, failed: 2, notes: ['a'] },
      { passed: 3, failed: 4, notes: ['b'] },
    ]),
  ).toEqual({
    passed: 4,
    failed: 6,
    notes: ['a', 'b'],
  })
})
