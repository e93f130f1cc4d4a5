import type { UseMutationResult } from '@tanstack/react-query'
import type { SwitchChainParameters } from '../core/connection/connected.ts'
import type { DisconnectParameters } from '../core/connection/disconnect.ts'
import type { WalletKitErrorType } from '../core/lib/errors.ts'
import type { KitChainId } from '../core/WalletKit.ts'
import { useKitMutation } from './useKitMutation.ts'

export type UseSwitchChainReturnType = UseMutationResult<void, WalletKitErrorType, SwitchChainParameters<KitChainId>>

/**
 * Switches the wallet to a chain of the app, without the network dialog.
 *
 * @returns A mutation of TanStack Query: `mutate` takes the `chainId`, `isPending` lasts until the wallet has answered. Its
 * `error` is a `WalletKitError`: `UserRejectedError` when the person rejected the request, `ChainError` when the wallet
 * cannot switch, `WalletNotAvailableError` while nothing is connected.
 * @see https://eips.ethereum.org/EIPS/eip-3326
 * @example
 * ```tsx
 * const { mutate, isPending } = useSwitchChain()
 * return <button disabled={isPending} onClick={() => mutate({ chainId: 56 })}>BNB Smart Chain</button>
 * ```
 */
export function useSwitchChain(): UseSwitchChainReturnType {
  return useKitMutation('switchChain', (kit, parameters: SwitchChainParameters<KitChainId>) =>
    kit.switchChain(parameters),
  )
}

// biome-ignore lint/suspicious/noConfusingVoidType: lets `mutate` be called without arguments
export type UseDisconnectReturnType = UseMutationResult<void, WalletKitErrorType, DisconnectParameters | void>

/**
 * Disconnects the wallet here and in every tab.
 *
 * @returns A mutation of TanStack Query: `mutate()` only forgets the connection, `mutate({ revoke: true })` also takes back
 * the permission in the wallet. It fails only while the provider has no kit.
 * @see https://eips.ethereum.org/EIPS/eip-2255
 * @example
 * ```tsx
 * const { mutate } = useDisconnect()
 * return <button onClick={() => mutate()}>Disconnect</button>
 * ```
 */
export function useDisconnect(): UseDisconnectReturnType {
  return useKitMutation('disconnect', (kit, parameters) => kit.disconnect(parameters ?? {}))
}
