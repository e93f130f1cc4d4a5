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
