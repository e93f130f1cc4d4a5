/** Work that runs once, a fixed time after its first request, however often it is requested. */
export type Delayed = {
  request: () => void
  /** Runs requested work now. */
  flush: () => Promise<void>
}

/** Creates delayed work. A failure is logged and does not end the process. */
export function createDelayed(work: () => Promise<void>, milliseconds: number): Delayed {
  let timer: NodeJS.Timeout | undefined
  async function flush() {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    await work().catch((error) => console.error(error))
  }
  return {
    request() {
      timer ??= setTimeout(() => void flush(), milliseconds).unref()
    },
    flush,
  }
}
