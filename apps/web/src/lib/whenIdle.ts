/** Calls `act` once when the page is idle, at the latest after a second. Returns a function that cancels it. */
export function whenIdle(act: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 1_000)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(act, { timeout: 1_000 })
  return () => cancelIdleCallback(request)
}
