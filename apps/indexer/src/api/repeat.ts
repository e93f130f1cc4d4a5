const retryInterval = 2_000

/** Runs a task again after as many milliseconds as it says; one that fails, after a rest. */
export function repeat(failure: string, log: (message: string) => void, task: () => Promise<number>): void {
  let reported: string | undefined
  const run = async () => {
    let wait = retryInterval
    try {
      wait = await task()
      reported = undefined
    } catch (error) {
      const message = `${failure}, trying again: ${error instanceof Error ? error.message : String(error)}`
      if (message !== reported) log(message)
      reported = message
    }
    setTimeout(() => void run(), wait)
  }
  void run()
}
