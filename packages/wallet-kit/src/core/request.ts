import type { EIP1193Provider } from 'viem'
import { WalletNotAvailableError } from './errors.ts'

/** Every request that no person has to answer ends after this long. */
export const requestTimeout = 10_000

/**
 * Asks a wallet. Always a promise, also of a provider that throws on the spot; and never endless when no person has to
 * answer: give those requests `requestTimeout`.
 */
export async function request(
  provider: EIP1193Provider,
  parameters: { method: string; params?: unknown },
  timeout?: number,
): Promise<unknown> {
  const answer = Promise.resolve(provider.request(parameters as Parameters<EIP1193Provider['request']>[0]))
  if (timeout === undefined) return answer
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new WalletNotAvailableError('The wallet does not answer. Open or restart it and try again.')),
      timeout,
    )
  })
  return Promise.race([answer, limit]).finally(() => clearTimeout(timer))
}
