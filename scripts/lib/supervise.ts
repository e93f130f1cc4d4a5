import { setTimeout as delay } from 'node:timers/promises'
import type { Child, Ending } from './startChild.ts'

export type Crash = {
  ending: Ending
  /** The last lines of its output. */
  tail: string[]
  /** Number of crashes in a row, including this one. */
  count: number
  /** Milliseconds until the restart. */
  wait: number
}

export type SuperviseParameters = {
  launch: () => Child
  /** Decides after an unexpected end whether to restart. */
  onCrash: (crash: Crash) => 'restart' | 'give_up'
  /** A process that ran for this many milliseconds has recovered: its next crash counts as the first. */
  recoveredAfter?: number
  firstWait?: number
}

const longestWait = 10_000

export type Supervised = ReturnType<typeof supervise>

/** Starts a process and restarts it when it ends unexpectedly. The wait doubles with each crash in a row. */
export function supervise({ launch, onCrash, recoveredAfter = 60_000, firstWait = 500 }: SuperviseParameters) {
  const stopping = new AbortController()
  let child = launch()

  async function watch(): Promise<'stopped' | 'given_up'> {
    let count = 0
    for (;;) {
      const startedAt = Date.now()
      const ending = await child.ended
      if (stopping.signal.aborted) return 'stopped'
      count = Date.now() - startedAt > recoveredAfter ? 1 : count + 1
      const wait = Math.min(firstWait * 2 ** (count - 1), longestWait)
      if (onCrash({ ending, tail: child.tail(), count, wait }) === 'give_up') return 'given_up'
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return 'stopped'
      child = launch()
    }
  }

  const ended = watch()
  return {
    send: (message: object) => child.send(message),
    /** Kills a process that hangs. It is restarted as after any other unexpected end. */
    kill: () => child.kill(),
    async stop() {
      stopping.abort()
      await child.stop()
      await ended
    },
    /** Settles when the process is no longer restarted: after `stop`, or because `onCrash` gave up. */
    ended,
  }
}
