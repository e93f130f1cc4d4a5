import type { EIP1193Provider } from 'viem'

const events = ['accountsChanged', 'chainChanged', 'disconnect'] as const

/** What wallets report, as they report it. */
export type ProviderListeners = Partial<Record<(typeof events)[number], (payload: unknown) => void>>

/**
 * Listens to a provider, and to nothing after the returned function is called: not every provider can remove listeners,
 * some emit nothing, and some throw when asked to.
 */
export function follow(provider: EIP1193Provider, listeners: ProviderListeners): () => void {
  let active = true
  const stops = events.flatMap((event) => {
    const listener = listeners[event]
    if (!listener) return []
    const guarded = (payload: unknown) => {
      if (active) listener(payload)
    }
    try {
      ignoreLater(provider.on(event, guarded))
    } catch {
      return []
    }
    return () => {
      try {
        ignoreLater(provider.removeListener(event, guarded))
      } catch {
        // It stays attached and inert.
      }
    }
  })
  return () => {
    active = false
    for (const stop of stops) stop()
  }
}

/** Some providers promise to listen, and may fail to. */
function ignoreLater(answer: unknown): void {
  Promise.resolve(answer).catch(() => {})
}
