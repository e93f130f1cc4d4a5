import type { EIP1193Provider } from 'viem'
import { AbortedError, WalletNotAvailableError } from './errors.ts'

/** Every request that no person has to answer ends after this long. */
export const requestTimeout = 10_000

/**
 * Asks a wallet. Always a promise, also of a provider that throws on the spot; and never endless when no person has to
 * answer: give those requests `requestTimeout`. When `signal` fires, nobody waits any more.
 */
export async function request(
  provider: EIP1193Provider,
  parameters: { method: string; params?: unknown },
  timeout?: number,
  signal?: AbortSignal,
): Promise<unknown> {
  const answer = Promise.resolve(provider.request(parameters as Parameters<EIP1193Provider['request']>[0]))
  if (timeout === undefined) return answer
  let end = () => {}
  const limit = new Promise<never>((_, reject) => {
    const timer = setTimeout(
      () => reject(new WalletNotAvailableError('The wallet does not answer. Open or restart it and try again.')),
      timeout,
    )
    const abort = () => reject(new AbortedError('The wallet is asked no more.'))
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  })
  return Promise.race([answer, limit]).finally(() => end())
}
