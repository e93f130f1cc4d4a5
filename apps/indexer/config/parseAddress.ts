import type { Address } from 'viem'
import { checksumAddress } from './checksumAddress.ts'

export type ParsedAddress =
  /** Address in lower case. */
  { status: 'valid'; address: Address } | { status: 'malformed' } | { status: 'checksum' }

/** viem's `isAddress` is not used: it caches every text of any length, and requests may contain any text. */
const pattern = /^0x[0-9a-fA-F]{40}$/

/**
 * Parses an address in lower case, in upper case, or with its checksum.
 *
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
export function parseAddress(text: string): ParsedAddress {
  if (!pattern.test(text)) return { status: 'malformed' }
  const address = text.toLowerCase() as Address
  const digits = text.slice(2)
  const hasOneCase = text === address || digits === digits.toUpperCase()
  if (!hasOneCase && checksumAddress(address) !== text) return { status: 'checksum' }
  return { status: 'valid', address }
}
