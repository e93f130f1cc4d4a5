/** Creates an error as providers throw it. @see https://eips.ethereum.org/EIPS/eip-1193#provider-errors */
export const createRpcError = (code: number, message: string): Error & { code: number } =>
  Object.assign(new Error(message), { code })

type Listener = (payload: unknown) => void

/** Creates the events of a provider. @see https://eips.ethereum.org/EIPS/eip-1193#events */
export function createEvents() {
  const listeners = new Map<string, Set<Listener>>()
  return {
    emit: (event: string, payload: unknown) => {
      for (const listener of [...(listeners.get(event) ?? [])]) listener(payload)
    },
    listenerCount: () => [...listeners.values()].reduce((count, { size }) => count + size, 0),
    on: (event: string, listener: Listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener: (event: string, listener: Listener) => {
      listeners.get(event)?.delete(listener)
    },
  }
}
