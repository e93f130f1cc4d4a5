import type { Address } from '@lineage/referral-api'
import { createContext, use, useEffect } from 'react'

/** Called with the address whose answer is shown. */
export const AnswerShownContext = createContext<(address: Address) => void>(() => {})

/** Reports that the answer for an address is shown, so that it can be announced. */
export function useAnswerShown(address: Address): void {
  const onShown = use(AnswerShownContext)
  useEffect(() => onShown(address), [onShown, address])
}
