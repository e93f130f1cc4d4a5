import type { Address } from '@lineage/referral-api'
import { useConnection, useWalletKitState } from '@lineage/wallet-kit'

/** Returns the connected account. */
export function useAccount(): Address | undefined {
  const { status, address } = useConnection()
  return status === 'connected' ? address : undefined
}

/** Returns the signed-in account. */
export const useSignedIn = (): Address | undefined => useWalletKitState((state) => state.session?.address)
