import type { Address } from '@lineage/referral-api'
import { useWalletKitState } from '@lineage/wallet-kit'

/** Returns the signed-in account. */
export const useSignedIn = (): Address | undefined => useWalletKitState((state) => state.session?.address)
