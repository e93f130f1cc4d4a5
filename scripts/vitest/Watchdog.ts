import type { Reporter, TestCase, TestModule } from 'vitest/node'

type Options = {
  /** Time that a run may take. @default below the time that a step of `npm test` may take */
  runLimit?: number
  /** Time that workers have to end after the last test. */
  closeLimit?: number
  end?: (words: string) => void
}

type Running =
  | Pick<TestModule, 'type' | 'moduleId'>
  | (Pick<TestCase, 'type' | 'fullName'> & { module: { moduleId: string } })

/**
 * Ends a run that does not end, and names what still runs: tests, files outside their tests, or processes that a test
 * left behind. Such a process keeps the output of its worker open, for which Vitest waits.
 */
export default class Watchdog implements Reporter {
  readonly #running = new Set<Running>()
  readonly #options: Required<Options>

  constructor({ runLimit = 19 * 60_000, closeLimit = 3 * 60_000, end = endProcess }: Options = {}) {
    this.#options = { runLimit, closeLimit, end }
  }
  onTestRunStart() {
    const { runLimit, end } = this.#options
    setTimeout(
      () => end(`The tests did not end within ${runLimit / 60_000} minutes. ${this.#describe()}`),
      runLimit,
    ).unref()
  }
  onTestModuleStart(file: Running) {
    this.#running.add(file)
  }
  onTestModuleEnd(file: Running) {
    this.#running.delete(file)
  }
  onTestCaseReady(test: Running) {
    this.#running.add(test)
  }
  onTestCaseResult(test: Running) {
    this.#running.delete(test)
  }
  onTestRunEnd() {
    const { closeLimit, end } = this.#options
    const words = 'All tests have ended, but a process that one of them started keeps the run open.'
    setTimeout(() => end(words), closeLimit).unref()
  }

  #describe(): string {
    const names = [...this.#running].map((one) =>
      one.type === 'test' ? `${one.module.moduleId}: ${one.fullName}` : one.moduleId,
    )
    return ['These were running:', ...names].join('\n  ')
  }
}

function endProcess(words: string): void {
  console.error(words)
  process.exit(1)
}
