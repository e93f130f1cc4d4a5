import { useMemo } from 'react'
import type { Address } from 'viem'
import type { WalletKitChain } from '../core/config.ts'
import type { Status } from '../core/state.ts'
import type { WalletOption } from '../core/wallet.ts'
import { useKitState } from './useKitState.ts'
import { useWalletKit } from './useWalletKit.ts'

export type UseConnectionReturnType = {
  status: Status
  /** While reconnecting: as it was last time. */
  address: Address | undefined
  chainId: number | undefined
  /** Of the app's chains; `undefined` on any other. */
  chain: WalletKitChain | undefined
  /** `true` while nothing is connected. */
  isSupportedChain: boolean
  /** Of the connection, or of the try that is under way. */
  wallet: WalletOption | undefined
}

/**
 * Who is connected, with which wallet, on which chain.
 *
 * @example
 * ```tsx
 * const { status, address } = useConnection()
 * if (status === 'connected') return <p>{address}</p>
 * ```
 */
export function useConnection(): UseConnectionReturnType {
  const { config } = useWalletKit()
  const status = useKitState((state) => state.status)
  const address = useKitState((state) => state.address)
  const chainId = useKitState((state) => state.chainId)
  const isSupportedChain = useKitState((state) => state.isSupportedChain)
  const wallet = useKitState((state) => state.wallets.find(({ id }) => id === state.walletId))
  const chain = config.chains.find(({ id }) => id === chainId)
  return useMemo(
    () => ({ status, address, chainId, chain, isSupportedChain, wallet }),
    [status, address, chainId, chain, isSupportedChain, wallet],
  )
}
