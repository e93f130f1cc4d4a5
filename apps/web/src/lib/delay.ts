/** Resolves after a delay, for debouncing queries. Rejects when `signal` aborts. */
export function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}

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
