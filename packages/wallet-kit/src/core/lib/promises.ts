import { AbortedError } from './errors.ts'

/** Creates the error of an attempt to connect that was cancelled. */
export const createCancelledError = (): Error => new AbortedError('The connection was cancelled.')

/** Settles like `promise`, but rejects with `createError()` as soon as `signal` fires. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal, createError = createCancelledError): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(createError())
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Resolves after `milliseconds`, or at once when `signal` fires. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return withTimeout(new Promise<void>(() => {}), milliseconds, createCancelledError, signal).catch(() => {})
}

/** Settles like `promise`, but rejects with `createError()` after `milliseconds`, or as soon as `signal` fires. */
export function withTimeout<T>(
  promise: Promise<T>,
  milliseconds: number,
  createError: () => Error,
  signal?: AbortSignal,
): Promise<T> {
  return withDeadline((deadline) => abortable(promise, deadline, createError), milliseconds, signal)
}

/** Runs `task` with a signal that fires after `milliseconds`, or as soon as `signal` fires. */
export async function withDeadline<T>(
  task: (signal: AbortSignal) => Promise<T>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, milliseconds)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  try {
    return await task(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** A module or service that is loaded on demand. */
export type Lazy<T> = {
  /** Loads the value and caches the promise. The next call retries a failure. */
  load: () => Promise<T>
  /** `undefined` until loaded. */
  readonly current: T | undefined
}

/** Creates a loader that calls `load` on first use. */
export function createLazy<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined
  let current: T | undefined
  const start = async () => {
    try {
      current = await load()
      return current
    } catch (thrown) {
      loading = undefined
      throw thrown
    }
  }
  return {
    load: () => {
      loading ??= start()
      return loading
    },
    get current() {
      return current
    },
  }
}

/**
 * Runs `task` when the page is idle, by default within half a second, unless the returned function is called before. Where a
 * browser cannot tell (Safari), runs it after `otherwise` milliseconds.
 */
export function whenIdle(task: () => void, options: IdleRequestOptions = { timeout: 500 }, otherwise = 0): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(task, otherwise)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(task, options)
  return () => cancelIdleCallback(request)
}

/** Resolves when the page is idle, within half a second; at once where a browser cannot tell (Safari). */
export const untilIdle = async (): Promise<unknown> =>
  typeof requestIdleCallback === 'function' && new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }))
