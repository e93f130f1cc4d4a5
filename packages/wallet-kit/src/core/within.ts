/**
 * `promise`, or the error of `createError` when it takes longer than `milliseconds` or `signal` fires. What it answers later
 * is dropped.
 */
export function within<T>(
  promise: Promise<T>,
  milliseconds: number,
  createError: () => Error,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      end()
      reject(createError())
    }
    const timer = setTimeout(giveUp, milliseconds)
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted) giveUp()
    promise.then(resolve, reject).finally(end)
  })
}
