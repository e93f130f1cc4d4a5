import type { EIP1193Provider } from 'viem'
import { AbortedError, WalletNotAvailableError } from '../lib/errors.ts'
import { withTimeout } from '../lib/promises.ts'
import { readProperty } from '../lib/untrusted.ts'

/** Time limit in milliseconds of requests that need no answer from a person. */
export const requestTimeout = 10_000

/** Milliseconds in which a wallet that reports no account, or a lost connection, may report the next one. */
export const graceTime = 500

/** Time limit in milliseconds for such a wallet to say then whether it has an account. */
export const settleTimeout = 2_000

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
      : new WalletNotAvailableError('The wallet does not answer. Open or restart it and try again.', {
          reason: 'noAnswer',
        })
  return withTimeout(answer, timeout, createError, signal)
}

type Listener = (payload: unknown) => void

/** Listeners by event, called with unchecked payloads. */
export type ProviderListeners = Partial<Record<'accountsChanged' | 'chainChanged' | 'connect' | 'disconnect', Listener>>

/**
 * Adds listeners to a provider. Returns a function that removes them; afterwards no listener is called, even if the
 * provider cannot remove listeners. Never throws.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193#events-1
 */
export function watchProvider(provider: EIP1193Provider, listeners: ProviderListeners): () => void {
  let isActive = true
  const entries = Object.entries(listeners) as [keyof ProviderListeners, Listener][]
  const guarded = entries.map(
    ([event, listener]) => [event, (payload: unknown) => void (isActive && listener(payload))] as const,
  )
  const callAll = (method: 'on' | 'removeListener') => {
    // A provider may throw, or reject: some return a promise.
    for (const [event, listener] of guarded) (async () => provider[method](event, listener))().catch(() => {})
  }
  callAll('on')
  return () => {
    isActive = false
    callAll('removeListener')
  }
}

/**
 * Returns whether the reason of a `disconnect` event is 1013: the wallet lost its node and reconnects by itself.
 *
 * @see https://github.com/MetaMask/providers/blob/main/src/BaseProvider.ts
 */
export const isReconnecting = (reason: unknown): boolean => readProperty(reason, 'code') === 1013
