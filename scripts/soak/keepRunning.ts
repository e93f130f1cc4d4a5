import { setTimeout as delay } from 'node:timers/promises'

export type RunningProcess = { ended: Promise<unknown>; kill: (signal: NodeJS.Signals) => Promise<void> }

/** Runs a process like a service manager, which restarts it whenever it ends. */
export function keepRunning(start: () => Promise<RunningProcess>) {
  let state: 'kept' | 'ended' = 'kept'
  let running = start()
  void (async () => {
    while (state === 'kept') {
      await (await running).ended
      await delay(500)
      if (state === 'kept') running = start()
    }
  })()
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => (await running).kill(signal)
  return {
    /** Ends the process, which then starts again. */
    kill: () => kill(),
    /** Ends the process for good. */
    async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
      state = 'ended'
      await kill(signal)
    },
  }
}
