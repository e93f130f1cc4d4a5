import { AbortedError } from './errors.ts'

/** `promise`, or an `AbortedError` as soon as `signal` fires. What the promise answers later is nobody's business. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new AbortedError('The connection was given up.', { cause: signal.reason }))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** `promise`, or `undefined` after `milliseconds`, or as soon as `signal` fires. */
export function waitFor<T>(promise: Promise<T>, milliseconds: number, signal: AbortSignal): Promise<T | undefined> {
  const limit = new AbortController()
  const stop = () => limit.abort()
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  return Promise.race([promise, delay(milliseconds, limit.signal).then(() => undefined)]).finally(() => {
    signal.removeEventListener('abort', stop)
    stop()
  })
}

/** Resolves after `milliseconds`, or at once when `signal` fires. */
export function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
