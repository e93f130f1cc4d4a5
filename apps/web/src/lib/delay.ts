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
