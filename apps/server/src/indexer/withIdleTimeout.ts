/**
 * Returns a stream that fails when its source sends nothing for `timeout` milliseconds. Only the source is timed, not a
 * visitor who reads slowly.
 */
export function withIdleTimeout(
  source: ReadableStream<Uint8Array>,
  timeout: number,
  createError: () => Error,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  const cancel = (reason?: unknown) => reader.cancel(reason).catch(() => undefined)
  return new ReadableStream({
    async pull(controller) {
      let state = 'waiting' as 'waiting' | 'timedOut'
      const timer = setTimeout(() => {
        state = 'timedOut'
        controller.error(createError())
        void cancel()
      }, timeout)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (state === 'timedOut') return
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel,
  })
}
