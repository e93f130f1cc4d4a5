/** Runs a function on request, one run at a time. Requests during a run cause one more run after it. */
export function createRound(work: () => Promise<void>) {
  let state: 'idle' | 'running' | 'again' | 'stopped' = 'idle'
  let running: Promise<void> = Promise.resolve()
  async function run(): Promise<void> {
    do {
      state = 'running'
      await work()
    } while (isAgain())
    if (state === 'running') state = 'idle'
  }
  const isAgain = () => state === 'again'
  return {
    request(): void {
      if (state === 'running') state = 'again'
      if (state === 'idle') running = run()
    },
    stop(): Promise<void> {
      state = 'stopped'
      return running
    },
  }
}
