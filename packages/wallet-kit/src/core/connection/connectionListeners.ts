import { createStore, type StoreApi } from 'zustand/vanilla'
import type { KitContext } from '../state/context.ts'
import { type Connection, toConnection } from '../state/state.ts'

/** A connection that has just begun. */
export type NewConnection = Connection & {
  /** `true` if it was restored without a prompt, as after a reload. */
  isRestored: boolean
}

/** Creates the functions that register listeners for the begin and the end of connections. */
export function createConnectionListeners({ store }: Pick<KitContext, 'store'>) {
  const begun = createStore<NewConnection | undefined>(() => undefined)
  const ended = createStore<Connection | undefined>(() => undefined)
  store.subscribe((state, before) => {
    if (state.status === before.status && state.connectionId === before.connectionId) return
    const next = state.status === 'connected' && toConnection(state)
    const kind = before.attempt?.kind ?? 'connect'
    if (before.status === 'connected') ended.setState(toConnection(before), true)
    if (next) begun.setState({ ...next, isRestored: kind !== 'connect' }, true)
  })
  return { onConnect: registerIn(begun), onDisconnect: registerIn(ended) }
}

const registerIn =
  <Value>(last: StoreApi<Value | undefined>) =>
  (listener: (value: Value) => void) =>
    // In a microtask, so that a listener that throws does not stop the others.
    last.subscribe((value) => value && queueMicrotask(() => listener(value)))
