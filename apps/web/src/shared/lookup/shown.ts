import type { Address } from '@lineage/referral-api'
import { createContext, use, useEffect } from 'react'

/** Is told whose answer has come. */
export const ShownContext = createContext<(address: Address) => void>(() => {})

/** Has it said aloud that the answer about an address is there. */
export function useShown(address: Address): void {
  const onShown = use(ShownContext)
  useEffect(() => onShown(address), [onShown, address])
}
