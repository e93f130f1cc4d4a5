import { setTimeout as delay } from 'node:timers/promises'
import { NodeError, toNodeError } from '../nodes/rpc/NodeError.ts'

export type CreateRetryParameters = {
  log: (message: string) => void
  /** Milliseconds between two attempts. @default 2_000 */
  retryAfter?: number
}

export type Retry = <result>(request: () => Promise<result>) => Promise<result>

/** Creates a function that repeats a request while the nodes fail. It logs the first failure after each success. */
export function createRetry({ log, retryAfter = 2_000 }: CreateRetryParameters): Retry {
  let state: 'reading' | 'failing' = 'reading'
  return async (request) => {
    for (;;) {
      try {
        const result = await request()
        state = 'reading'
        return result
      } catch (error) {
        if (!(error instanceof NodeError)) throw error
        if (state === 'reading') log(`The history cannot be read: ${toNodeError(error).message}. Retrying.`)
        state = 'failing'
        await delay(retryAfter)
      }
    }
  }
}
