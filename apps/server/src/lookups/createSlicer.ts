import { setImmediate } from 'node:timers/promises'
import type { Slices } from '@lineage/forest'
import { ProblemError } from '../lib/problem.ts'
import { measureWork } from './measureWork.ts'

/** Milliseconds of slices that run without other requests in between. */
const turn = 1
/** Number of answers that may wait for their turn. */
const mostWaiting = 16

/** Computes an answer in slices; `work` is their processor time after the first turn, in milliseconds. */
export type InSlices = <answer>(
  slices: Slices<answer>,
  signal?: AbortSignal,
) => Promise<{ answer: answer; work: number }>

/**
 * Creates a function that computes large answers without delaying other requests: a small answer at once, and one
 * large answer at a time, a millisecond between other requests.
 *
 * @throws {ProblemError} `unavailable`, while too many wait
 * @throws the reason of `signal`
 */
export function createSlicer(): InSlices {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return async <answer>(slices: Slices<answer>, signal?: AbortSignal) => {
    const first = takeTurn(slices)
    if (first.done) return { answer: first.value, work: 0 }
    if (waiting >= mostWaiting)
      throw new ProblemError('unavailable', 'Too many lookups of large teams in the past are waiting. Try again later.')
    waiting++
    const finished = last.then(() => finish(slices, signal))
    last = finished.catch(() => undefined)
    return finished.finally(() => {
      waiting--
    })
  }
}

async function finish<answer>(slices: Slices<answer>, signal?: AbortSignal): Promise<{ answer: answer; work: number }> {
  for (let work = 0; ; ) {
    await setImmediate()
    signal?.throwIfAborted()
    const { output: slice, work: more } = measureWork(() => takeTurn(slices))
    work += more
    if (slice.done) return { answer: slice.value, work }
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
