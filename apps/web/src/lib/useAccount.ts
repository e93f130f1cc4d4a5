import type { Address } from '@lineage/referral-api'
import { useConnection } from '@lineage/wallet-kit'

/** Returns the connected account. */
export function useAccount(): Address | undefined {
  const { status, address } = useConnection()
  return status === 'connected' ? address : undefined
}
