import type { Address } from '@lineage/referral-api'
import type { WalletKit, WalletKitState } from '@lineage/wallet-kit/core'
import { createContext, use, useCallback, useSyncExternalStore } from 'react'

/** The page's kit; `undefined` until the server has said which nodes it reads from. */
export const KitContext = createContext<WalletKit | undefined>(undefined)

export const useKit = (): WalletKit | undefined => use(KitContext)

const never = () => () => {}

/** `undefined` before the kit is there. */
export function useKitState<selected>(select: (state: WalletKitState) => selected): selected | undefined {
  const kit = useKit()
  const read = () => (kit ? select(kit.getState()) : undefined)
  return useSyncExternalStore(kit?.subscribe ?? never, read, read)
}

/** The connected account. */
export const useAccount = (): Address | undefined =>
  useKitState((state) => (state.status === 'connected' ? state.address : undefined))

export const useIsSupportedChain = (): boolean => useKitState((state) => state.isSupportedChain) ?? false

export const useHasPendingTransactions = (): boolean => useKitState((state) => state.hasPendingTransactions) ?? false

/** Asks the person to connect; does nothing before the kit is there. */
export function useConnect(): () => void {
  const kit = useKit()
  return useCallback(() => void kit?.openConnectDialog(), [kit])
}
