import { useSyncExternalStore } from 'react'
import type { WalletKitState } from '../../core/state/state.ts'
import { initialState } from '../../core/state/transitions.ts'
import type { WalletKit } from '../../core/WalletKit.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { subscribeToNothing } from './withoutKit.ts'

/**
 * Returns the selected part of the kit's state, and renders again when it changes. While the provider has no kit yet,
 * the state is that of a kit without a connected wallet. `select` must return the same value for the same state.
 *
 * @param select - Picks a part of the state.
 * @example
 * ```tsx
 * const isPending = useWalletKitState((state) => state.hasPendingTransactions)
 * ```
 */
export function useWalletKitState<Selected>(select: (state: WalletKitState) => Selected): Selected {
  return useStateOf(useWalletKitContext().kit, select)
}

/** Returns the selected part of the state of `kit`, like `useWalletKitState`, without a provider. */
export function useStateOf<Selected>(
  kit: WalletKit | undefined,
  select: (state: WalletKitState) => Selected,
): Selected {
  return useSyncExternalStore(
    kit?.subscribe ?? subscribeToNothing,
    () => select(kit?.getState() ?? initialState),
    () => select(kit?.getInitialState() ?? initialState),
  )
}
