import type { EIP1193Provider } from 'viem'

const events = ['accountsChanged', 'chainChanged', 'disconnect'] as const

/** Listeners by event, called with unchecked payloads. */
export type ProviderListeners = Partial<Record<(typeof events)[number], (payload: unknown) => void>>

/**
 * Adds listeners to a provider. Returns a function that removes them; afterwards no listener is called, even if the
 * provider cannot remove listeners. Never throws.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193#events-1
 */
export function watchProvider(provider: EIP1193Provider, listeners: ProviderListeners): () => void {
  let isActive = true
  const stops = events.flatMap((event) => {
    const listener = listeners[event]
    if (!listener) return []
    const guarded = (payload: unknown) => {
      if (isActive) listener(payload)
    }
    try {
      ignoreRejection(provider.on(event, guarded))
    } catch {
      return []
    }
    return () => {
      try {
        ignoreRejection(provider.removeListener(event, guarded))
      } catch {
        // The listener stays attached, but does nothing.
      }
    }
  })
  return () => {
    isActive = false
    for (const stop of stops) stop()
  }
}

/** Ignores a rejection: some providers return a promise, which may reject. */
function ignoreRejection(answer: unknown): void {
  Promise.resolve(answer).catch(() => {})
}
