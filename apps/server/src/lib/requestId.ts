import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

const scope = new AsyncLocalStorage<string>()

/** Returns the id of the request that is being handled, also after an `await`. */
export const findRequestId = (): string | undefined => scope.getStore()

/** Handles a request such that `findRequestId` returns its id. */
export const withRequestId = (id: string, handle: () => void): void => scope.run(id, handle)

/**
 * Returns the id that a trusted proxy sent in `X-Request-Id`, or a new id if it is missing, too long or has unusual
 * characters, so that no other text gets into the log.
 */
export function chooseRequestId(given: string | undefined, trustedProxies: number): string {
  return trustedProxies > 0 && given !== undefined && /^[\w.:=+/-]{1,128}$/.test(given) ? given : randomUUID()
}
