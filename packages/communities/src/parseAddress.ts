import { addressPattern } from '@lineage/referral-api/address'
import type { Address } from 'viem'
import { checksumAddress } from './checksumAddress.ts'

export type ParsedAddress =
  /** Address in lower case. */
  { status: 'valid'; address: Address } | { status: 'malformed' } | { status: 'checksum' }

/**
 * Parses an address in lower case, in upper case, or with its checksum.
 *
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
export function parseAddress(text: string): ParsedAddress {
  // viem's `isAddress` is not used: it caches every text of any length, and requests may contain any text.
  if (!addressPattern.test(text)) return { status: 'malformed' }
  const address = text.toLowerCase() as Address
  const digits = text.slice(2)
  const hasOneCase = text === address || digits === digits.toUpperCase()
  if (!hasOneCase && checksumAddress(address) !== text) return { status: 'checksum' }
  return { status: 'valid', address }
}
