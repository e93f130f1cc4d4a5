import { describeError } from './describeError.ts'

const retryInterval = 2_000

/**
 * Runs a task repeatedly until the process ends: again after the number of milliseconds it resolves to, or two
 * seconds after it fails. A failure is logged once, even if it repeats.
 *
 * @param failure Description of the failure for the log.
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
