import { setImmediate } from 'node:timers/promises'
import type { Slices } from '@lineage/forest'
import { createPlaces } from '../lib/places.ts'
import { ProblemError } from '../lib/problem.ts'
import { networksOf } from '../lib/visitor.ts'

/** Milliseconds of slices that run without other requests in between. */
const turn = 1
/** Number of answers that may wait for their turn. */
const mostWaiting = 16

/** The visitor of an answer, the signal that stops it, and the meter of its work. */
export type Asker = { visitor: string; signal: AbortSignal; meter: WorkMeter }

/** Computes an answer in slices for a visitor. */
export type Slicer = <answer>(slices: Slices<answer>, asker: Asker) => Promise<answer>

/**
 * Creates a function that computes large answers without delaying other requests: a small answer at once, and one
 * large answer at a time, a millisecond between other requests.
 *
 * @throws {ProblemError} `unavailable`, while too many wait
 * @throws the reason of `signal`, after a slice at most
 */
export function createSlicer(): Slicer {
  const enter = createTurns()
  return async <answer>(slices: Slices<answer>, asker: Asker) => {
    const first = asker.meter.measure(() => takeTurn(slices))
    if (first.done) return first.value
    const leave = await enter(asker)
    try {
      return await finish(slices, asker)
    } finally {
      leave()
    }
  }
}

async function finish<answer>(slices: Slices<answer>, { signal, meter }: Asker): Promise<answer> {
  for (;;) {
    await setImmediate()
    signal.throwIfAborted()
    const slice = meter.measure(() => takeTurn(slices))
    if (slice.done) return slice.value
  }
}

/** Takes slices for one turn, or to the end. */
function takeTurn<answer>(slices: Slices<answer>): IteratorResult<undefined, answer> {
  const end = performance.now() + turn
  for (;;) {
    const slice = slices.next()
    if (slice.done || performance.now() >= end) return slice
  }
}

type Waiting = { visitor: string; start: () => void; refuse: (reason: unknown) => void }

/**
 * Creates a function that resolves when it is the turn of a visitor, to a function that ends the turn. After each turn it is that of
 * another visitor, if one waits. When too many wait, the newest of the network that has most is refused.
 */
function createTurns() {
  const places = createPlaces<Waiting>()
  const waiting: Waiting[] = []
  let current: string | undefined

  function start(visitor: string): () => void {
    current = visitor
    return () => {
      const next = waiting.find((one) => one.visitor !== visitor) ?? waiting[0]
      current = undefined
      next?.start()
    }
  }

  return async ({ visitor, signal }: Pick<Asker, 'visitor' | 'signal'>): Promise<() => void> => {
    signal.throwIfAborted()
    if (current === undefined) return start(visitor)
    const networks = networksOf(visitor)
    if (places.count() >= mostWaiting) {
      const loser = places.findLoser(networks)
      if (!loser) throw tooMany()
      loser.refuse(tooMany())
    }
    return new Promise((resolve, reject) => {
      const own: Waiting = {
        visitor,
        start() {
          leave()
          resolve(start(visitor))
        },
        refuse(reason) {
          leave()
          reject(reason)
        },
      }
      const free = places.take(networks, own)
      const onAbort = () => own.refuse(signal.reason)
      function leave(): void {
        free()
        waiting.splice(waiting.indexOf(own), 1)
        signal.removeEventListener('abort', onAbort)
      }
      waiting.push(own)
      signal.addEventListener('abort', onAbort)
    })
  }
}

const tooMany = () =>
  new ProblemError('unavailable', 'Too many lookups of large teams in the past are waiting. Try again later.')

/** Sums up the processor time of the synchronous parts of one task. */
export type WorkMeter = ReturnType<typeof createWorkMeter>

/** Creates a meter, which counts a part once even if it is measured within another one. */
export function createWorkMeter() {
  let work = 0
  let state: 'idle' | 'measuring' = 'idle'
  return {
    /** Runs a synchronous part of the task, and counts its work even if it fails. */
    measure<output>(compute: () => output): output {
      if (state === 'measuring') return compute()
      state = 'measuring'
      const before = process.threadCpuUsage()
      try {
        return compute()
      } finally {
        const { user, system } = process.threadCpuUsage(before)
        work += (user + system) / 1_000
        state = 'idle'
      }
    },
    /** Returns the milliseconds of all parts so far. */
    work: () => work,
  }
}
