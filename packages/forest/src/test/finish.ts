import type { Slices } from '../types.ts'

/** Runs all slices of an answer at once. */
export function finish<answer>(slices: Slices<answer>): answer {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
  }
}
