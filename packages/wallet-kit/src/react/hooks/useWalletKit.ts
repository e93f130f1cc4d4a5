import { useState, useSyncExternalStore } from 'react'
import { createNotConnectedError } from '../../core/lib/errors.ts'
import { initialState } from '../../core/state/initialState.ts'
import type { WalletKitState } from '../../core/state/state.ts'
import type { RegisteredKit, WalletKit } from '../../core/WalletKit.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'

export type UseWalletKitParameters<shouldThrow extends boolean = boolean> = {
  /** `false`: the hook returns `undefined` while the provider has no kit yet. Default: it throws. */
  shouldThrow?: shouldThrow | undefined
}

export type UseWalletKitReturnType<shouldThrow extends boolean = true> =
  | RegisteredKit
  | (shouldThrow extends true ? never : undefined)

/**
 * Returns the kit of the nearest `WalletKitProvider`: its actions, clients and EIP-1193 provider. Throws while the
 * provider has no kit yet; with `{ shouldThrow: false }` it returns `undefined` then. Its chain ids are those of the
 * registered kit, see `Register`.
 *
 * @param parameters - `shouldThrow`.
 * @throws {Error} without a provider, or while it has no kit
 * @example
 * ```tsx
 * const kit = useWalletKit()
 * return <button onClick={() => kit.switchChain({ chainId: 56 })}>BNB Smart Chain</button>
 * ```
 */
export function useWalletKit<const shouldThrow extends boolean = true>({
  shouldThrow,
}: UseWalletKitParameters<shouldThrow> = {}): UseWalletKitReturnType<shouldThrow> {
  const { kit } = useWalletKitContext()
  if (!kit && shouldThrow !== false) throw new Error('WalletKitProvider has no kit yet. Pass { shouldThrow: false }.')
  return kit as UseWalletKitReturnType<shouldThrow>
}

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
    () => select(initialState),
  )
}

export const subscribeToNothing = () => () => {}

export const doNothing = () => {}

export const resolveUndefined = async () => undefined

export const throwNotConnected = (): never => {
  throw createNotConnectedError()
}

export const rejectNotConnected = async (): Promise<never> => throwNotConnected()

/** Tells whether a component's first render is on a server or hydrates its HTML. */
export function useStartsFromServer(): boolean {
  let isFromServer = false
  // Equal snapshots: the component is not rendered again after hydration, as it is with `useIsHydrated`.
  useSyncExternalStore(
    subscribeToNothing,
    () => undefined,
    () => {
      isFromServer = true
      return undefined
    },
  )
  return useState(isFromServer)[0]
}

/** Returns `false` on a server and during hydration, `true` in every later render. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
