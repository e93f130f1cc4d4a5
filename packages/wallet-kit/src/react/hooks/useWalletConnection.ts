import { useMemo } from 'react'
import type { Address } from 'viem'
import type { WalletKitChain } from '../../core/state/config.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { useWalletKitState } from './useWalletKit.ts'

/** A union by `status`. */
export type UseWalletConnectionReturnType = {
  /** The wallet's chain, if the app supports it. */
  chain: WalletKitChain | undefined
  /** `true` while nothing is connected. */
  isSupportedChain: boolean
  /** The connected wallet, or the one being asked. */
  wallet: WalletOption | undefined
} & (
  | { status: 'disconnected' | 'connecting'; address: undefined; chainId: undefined }
  /** `reconnecting`: the stored account and chain, not yet confirmed by the wallet. */
  | { status: 'reconnecting' | 'unauthenticated' | 'connected'; address: Address; chainId: number }
)

/**
 * Returns the connected account, its wallet and its chain. `status` tells which fields are set. It is `disconnected` while
 * the provider has no kit yet.
 *
 * @example
 * ```tsx
 * const { status, address } = useWalletConnection()
 * if (status === 'connected') return <p>{address}</p>
 * ```
 */
export function useWalletConnection(): UseWalletConnectionReturnType {
  const { kit } = useWalletKitContext()
  const status = useWalletKitState((state) => state.status)
  const address = useWalletKitState((state) => state.address)
  const chainId = useWalletKitState((state) => state.chainId)
  const isSupportedChain = useWalletKitState((state) => state.isSupportedChain)
  const wallet = useWalletKitState((state) => state.wallets.find(({ id }) => id === state.walletId))
  const chain = kit?.config.chains.find(({ id }) => id === chainId)
  return useMemo(
    () => ({ status, address, chainId, chain, isSupportedChain, wallet }) as UseWalletConnectionReturnType,
    [status, address, chainId, chain, isSupportedChain, wallet],
  )
}

/**
 * Returns a function that checks whether the connected wallet may switch to a chain if it is asked. Connectors do not
 * report changes, so use it for texts, not to disable a button.
 */
export function useCanSwitchTo(): (chainId: number) => boolean {
  const connector = useWalletKitState((state) => state.connector)
  return (chainId) => connector?.canSwitchTo?.(chainId) ?? true
}
