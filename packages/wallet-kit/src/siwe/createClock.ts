/**
 * Creates a clock in Unix milliseconds that never goes back: after the system's clock is set back it goes on from the newest
 * time seen. Otherwise a nonce that has expired, and is no longer among the used ones, could be used again.
 */
export function createClock(wallNow = Date.now, elapsed = () => performance.now()): () => number {
  let anchor = { time: wallNow(), elapsed: elapsed() }
  return () => {
    const expected = anchor.time + (elapsed() - anchor.elapsed)
    // Behind the system's clock after the machine was asleep.
    const time = Math.max(Math.floor(expected), wallNow())
    if (time > expected) anchor = { time, elapsed: elapsed() }
    return time
  }
}
