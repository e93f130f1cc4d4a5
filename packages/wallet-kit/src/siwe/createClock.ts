/**
 * Creates a clock in Unix milliseconds that never goes back: after the system's clock is set back, it continues from
 * the newest time seen. Otherwise an expired nonce that is no longer recorded as used could be used again.
 */
export function createClock(wallNow = Date.now, elapsed = () => performance.now()): () => number {
  let anchor = { time: wallNow(), elapsed: elapsed() }
  return () => {
    const expected = anchor.time + (elapsed() - anchor.elapsed)
    // It is behind the system's clock after the machine was suspended.
    const time = Math.max(Math.floor(expected), wallNow())
    if (time > expected) anchor = { time, elapsed: elapsed() }
    return time
  }
}
