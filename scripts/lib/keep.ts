import { setTimeout as delay } from 'node:timers/promises'
import type { Child, Ending } from './child.ts'

export type Kept = {
  send: (message: object) => void
  stop: () => Promise<void>
  /** Settles when it is no longer kept: `stopped` by us, or `given_up`. */
  ended: Promise<'stopped' | 'given_up'>
}

export type KeepParameters = {
  launch: () => Child
  /** Told of each end that was not asked for; `wait` is how many milliseconds until it is started again. */
  onCrash: (crash: { ending: Ending; tail: string[]; inARow: number; wait: number }) => 'restart' | 'give_up'
  /** Alive for this many milliseconds, it counts as recovered. */
  recoveredAfter?: number
  firstWait?: number
}

const longestWait = 10_000

/** Starts a process again whenever it ends by itself, each time after a longer wait. */
export function keep({ launch, onCrash, recoveredAfter = 60_000, firstWait = 500 }: KeepParameters): Kept {
  const stopping = new AbortController()
  let child = launch()

  async function watch(): Promise<'stopped' | 'given_up'> {
    let inARow = 0
    for (;;) {
      const startedAt = Date.now()
      const ending = await child.ended
      if (stopping.signal.aborted) return 'stopped'
      inARow = Date.now() - startedAt > recoveredAfter ? 1 : inARow + 1
      const wait = Math.min(firstWait * 2 ** (inARow - 1), longestWait)
      if (onCrash({ ending, tail: child.tail(), inARow, wait }) === 'give_up') return 'given_up'
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return 'stopped'
      child = launch()
    }
  }

  const ended = watch()
  return {
    send: (message) => child.send(message),
    async stop() {
      stopping.abort()
      await child.stop()
      await ended
    },
    ended,
  }
}
