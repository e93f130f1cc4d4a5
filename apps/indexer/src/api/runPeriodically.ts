import { describeError } from './describeError.ts'

const retryInterval = 2_000

/**
 * Runs a task again and again until the process ends: after as many milliseconds as it resolves to, or after two seconds when
 * it fails. A failure is logged once, however often it repeats.
 *
 * @param failure What failed, for the log.
 */
export function runPeriodically(failure: string, log: (message: string) => void, task: () => Promise<number>): void {
  let reported: string | undefined
  const run = async () => {
    let wait = retryInterval
    try {
      wait = await task()
      reported = undefined
    } catch (error) {
      const message = `${failure}; trying again: ${describeError(error)}`
      if (message !== reported) log(message)
      reported = message
    }
    setTimeout(() => void run(), wait)
  }
  void run()
}
