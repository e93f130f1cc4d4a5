import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

const scope = new AsyncLocalStorage<string>()

/** Returns the id of the request that is being handled, also after an `await`. */
export const findRequestId = (): string | undefined => scope.getStore()

/** Runs the handling of a request, so that `findRequestId` returns its id. */
export const withRequestId = (id: string, handle: () => void): void => scope.run(id, handle)

/**
 * Returns the id that a trusted proxy gave a request in `X-Request-Id`, or a new one. Of anything longer or stranger than such
 * ids are, nothing gets into the log.
 */
export function chooseRequestId(given: string | undefined, trustedProxies: number): string {
  return trustedProxies > 0 && given !== undefined && /^[\w.:=+/-]{1,128}$/.test(given) ? given : randomUUID()
}
