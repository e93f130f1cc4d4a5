/** Time for which a clock may be wrong before it deletes anything, in milliseconds. */
const patience = 3_600_000

/**
 * Creates a function that returns a time that has passed for certain: the clock has shown it an hour ago, and shows it
 * still. So a clock that jumps ahead and is set back within that hour deletes nothing.
 */
export function createPast(elapsed = () => performance.now()): () => number {
  let seen = { time: 0, at: Number.NEGATIVE_INFINITY }
  let past = 0
  return () => {
    if (elapsed() - seen.at >= patience) {
      past = seen.time
      seen = { time: Date.now(), at: elapsed() }
    }
    return Math.min(past, Date.now())
  }
}
