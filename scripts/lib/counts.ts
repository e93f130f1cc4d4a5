/** How a step of the tests went. `notes` name what failed without being a test case. */
export type Counts = { passed: number; failed: number; notes: string[] }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}

/** Of Vitest's JSON report. A file that breaks before its first test counts as one failure. */
export function countVitest(report: VitestReport): Counts {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    notes: broken.map(({ name }) => `${name} broke before or beside its tests`),
  }
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number }
  errors: { message?: string }[]
}

/** Of Playwright's JSON report. An error outside every test counts as one failure. */
export function countPlaywright({ stats, errors }: PlaywrightReport): Counts {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    notes: errors.map(({ message }) => message?.split('\n')[0] ?? 'an error outside every test'),
  }
}

type SizeReport = { name: string; passed?: boolean; size: number; sizeLimit?: number }[] | { error: string }

/** Of size-limit's JSON report: each budget is a test. */
export function countSizes(report: SizeReport): Counts {
  if (!Array.isArray(report)) return { passed: 0, failed: 1, notes: [`size-limit: ${report.error}`] }
  const over = report.filter(({ passed }) => passed === false)
  return {
    passed: report.length - over.length,
    failed: over.length,
    notes: over.map(({ name, size, sizeLimit }) => `${name}: ${size} B of ${sizeLimit} B`),
  }
}

/** A runner that failed although every test it told of passed has crashed, and so has one that told of none. */
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
