import type { EIP1193Provider } from 'viem'

type Listener = (payload: unknown) => void

/** Listeners by event, called with unchecked payloads. */
export type ProviderListeners = Partial<Record<'accountsChanged' | 'chainChanged' | 'disconnect', Listener>>

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
