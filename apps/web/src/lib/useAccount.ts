import type { Address } from '@lineage/referral-api'
import { useWalletConnection, useWalletKitState } from '@lineage/wallet-kit'

export function useAccount(): Address | undefined {
  const { status, address } = useWalletConnection()
  return status === 'connected' ? address : undefined
}

/** Returns the signed-in account. */
export const useSignedIn = (): Address | undefined => useWalletKitState((state) => state.session?.address)
