import { existsSync, readFileSync, rmSync } from 'node:fs'
import { type RunCommand, runCommand } from './runCommand.ts'

export type Step = {
  name: string
  /** Package of the step, if each package has its own. */
  of?: string
  command: string[]
  env?: Record<string, string>
  /** JSON report of the tool, and the function that counts it. Without a report, the tool counts as one check. */
  report?: { file: string; count: (report: never) => Counts; from?: 'stdout' }
  /** Names of the steps that must end before this one starts. */
  after?: readonly string[]
}

export type Outcome = { step: Step; counts: Counts; seconds: number; log: string }

export type RunStepsParameters = {
  /** Number of steps that run at the same time. */
  slots: number
  /** Returns the file for the output of a step; `undefined` shows the output at once. */
  logOf: (step: Step) => string | undefined
  onStart?: (step: Step) => void
  onEnd?: (outcome: Outcome) => void
  run?: RunCommand
}

/** Returns the step with its package: `unit packages/forest`. */
export const labelOf = ({ name, of }: Step): string => [name, of].filter(Boolean).join(' ')

/** Runs all steps, a few at a time, even after a failure. Returns the outcomes in the order of the steps. */
export async function runSteps(steps: readonly Step[], parameters: RunStepsParameters): Promise<Outcome[]> {
  const waiting = [...steps]
  const running = new Map<Step, Promise<void>>()
  const outcomes = new Map<Step, Outcome>()
  const isReady = ({ after = [] }: Step) => ![...waiting, ...running.keys()].some(({ name }) => after.includes(name))

  async function run(step: Step) {
    parameters.onStart?.(step)
    const outcome = await runStep(step, parameters)
    running.delete(step)
    outcomes.set(step, outcome)
    parameters.onEnd?.(outcome)
  }

  while (waiting.length > 0 || running.size > 0) {
    for (const step of waiting.filter(isReady).slice(0, parameters.slots - running.size)) {
      waiting.splice(waiting.indexOf(step), 1)
      running.set(step, run(step))
    }
    if (running.size === 0) throw new Error(`${labelOf(waiting[0] as Step)} waits for a step that waits for it.`)
    await Promise.race(running.values())
  }
  return steps.flatMap((step) => outcomes.get(step) ?? [])
}

async function runStep(step: Step, { logOf, run = runCommand }: RunStepsParameters): Promise<Outcome> {
  const { command, env, report } = step
  const startedAt = Date.now()
  const log = logOf(step)
  if (report) rmSync(report.file, { force: true })
  const code = await run(command, { env, log, ...(report?.from === 'stdout' && { stdout: report.file }) })
  const counts = report
    ? withRunner(labelOf(step), { code, counts: countReport(report) })
    : { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, notes: [] }
  return { step, counts, seconds: (Date.now() - startedAt) / 1000, log: log ? readFileSync(log, 'utf8') : '' }
}

function countReport({ file, count }: NonNullable<Step['report']>): Counts | undefined {
  return existsSync(file) ? count(JSON.parse(readFileSync(file, 'utf8')) as never) : undefined
}

/** Result of a step of `npm test`. `notes` name failures that are not test cases. */
export type Counts = { passed: number; failed: number; notes: string[] }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}

/** Counts the tests in Vitest's JSON report. A file that breaks before its first test is one failure. */
export function countVitest(report: VitestReport): Counts {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    notes: broken.map(({ name }) => `${name} failed outside its tests`),
  }
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number }
  errors: { message?: string }[]
}

/** Counts the tests in Playwright's JSON report. An error outside of tests, or a second attempt, is a failure. */
export function countPlaywright({ stats, errors }: PlaywrightReport): Counts {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    notes: errors.map(({ message }) => message?.split('\n')[0] ?? 'an error outside every test'),
  }
}

type SizeReport = { name: string; passed?: boolean; size: number; sizeLimit?: number }[] | { error: string }

/** Counts the budgets in size-limit's JSON report, each as one test. */
export function countSizes(report: SizeReport): Counts {
  if (!Array.isArray(report)) return { passed: 0, failed: 1, notes: [`size-limit: ${report.error}`] }
  const over = report.filter(({ passed }) => passed === false)
  return {
    passed: report.length - over.length,
    failed: over.length,
    notes: over.map(({ name, size, sizeLimit }) => `${name}: ${size} B of ${sizeLimit} B`),
  }
}

/** Adds a failure if the runner ended with an error that its report does not explain, or wrote no report. */
export function withRunner(name: string, { code, counts }: { code: number; counts: Counts | undefined }): Counts {
  if (!counts) return { passed: 0, failed: 1, notes: [`${name} left no report (code ${code})`] }
  if (code === 0 || counts.failed > 0) return counts
  return { ...counts, failed: 1, notes: [...counts.notes, `${name} ended with code ${code} although no test failed`] }
}

export const sum = (all: Counts[]): Counts => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  notes: all.flatMap(({ notes }) => notes),
})
