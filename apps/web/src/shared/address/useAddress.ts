import type { Address } from '@lineage/referral-api'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { kept } from '../../paths.ts'
import { type ParsedAddress, parseAddress } from './parseAddress.ts'

/** Returns the page's address from the URL, and functions that change it. */
export function useAddress(): {
  /** The address in the URL, as written there. */
  text: string
  parsed: ParsedAddress
  address: Address | undefined
  setAddress: (address: Address | undefined) => void
} {
  const [parameters, setParameters] = useSearchParams()
  const text = parameters.get('address') ?? ''
  const parsed = useMemo(() => parseAddress(text), [text])
  const setAddress = useCallback(
    (address: Address | undefined) =>
      setParameters((current) => {
        const next = new URLSearchParams(current)
        if (address) next.set('address', address)
        else next.delete('address')
        // The other parameters belong to the previous address.
        for (const key of [...next.keys()]) if (!kept.includes(key)) next.delete(key)
        return next
      }),
    [setParameters],
  )
  return { text, parsed, address: parsed.kind === 'valid' ? parsed.address : undefined, setAddress }
}
