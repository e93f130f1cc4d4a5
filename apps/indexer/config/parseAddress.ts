import { type Address, isAddress } from 'viem'

export type ParsedAddress =
  /** In lower case. */
  { status: 'valid'; address: Address } | { status: 'malformed' } | { status: 'checksum' }

const pattern = /^0x[0-9a-fA-F]{40}$/

/**
 * Reads an address in lower case, in upper case, or with its checksum.
 *
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
export function parseAddress(text: string): ParsedAddress {
  if (!pattern.test(text)) return { status: 'malformed' }
  const digits = text.slice(2)
  const plain = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!plain && !isAddress(text)) return { status: 'checksum' }
  return { status: 'valid', address: text.toLowerCase() as Address }
}
