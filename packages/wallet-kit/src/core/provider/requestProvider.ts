import type { EIP1193Provider } from 'viem'
import { AbortedError, WalletNotAvailableError } from '../lib/errors.ts'
import { withTimeout } from '../lib/promises.ts'

/** Time limit in milliseconds of requests that need no answer from a person. */
export const requestTimeout = 10_000

/**
 * Sends a request to a wallet. Also rejects when the provider throws synchronously. Pass `requestTimeout` for
 * requests that need no answer from a person. `signal` applies only together with `timeout`.
 */
export async function requestProvider(
  provider: EIP1193Provider,
  parameters: { method: string; params?: unknown },
  timeout?: number,
  signal?: AbortSignal,
): Promise<unknown> {
  const answer = Promise.resolve(provider.request(parameters as Parameters<EIP1193Provider['request']>[0]))
  if (timeout === undefined) return answer
  const createError = () =>
    signal?.aborted
      ? new AbortedError('Request cancelled.')
      : new WalletNotAvailableError('The wallet does not answer. Open or restart it and try again.')
  return withTimeout(answer, timeout, createError, signal)
}
