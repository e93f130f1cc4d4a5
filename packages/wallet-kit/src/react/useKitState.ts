import { useSyncExternalStore } from 'react'
import type { WalletKitState } from '../core/state.ts'
import { useKitContext } from './context.ts'

/** A part of the kit's state. `select` must return the same value for the same state. */
export function useKitState<Selected>(select: (state: WalletKitState) => Selected): Selected {
  const { kit } = useKitContext()
  return useSyncExternalStore(
    kit.subscribe,
    () => select(kit.getState()),
    () => select(kit.getInitialState()),
  )
}
