import { createKeccak } from 'hash-wasm'
import type { Address } from 'viem'

const keccak = await createKeccak(256)
const text = Buffer.from('0x'.padEnd(42, '0'))
const digits = text.subarray(2)
const firstLetter = 0x61
const toUpper = 0x20
/** The root of everybody, and what has just been read from a request. */
const known = new Map<Address, Address>()
const knownLimit = 4_096

/**
 * The EIP-55 form of an address in lower case, some ten times sooner than viem's: a page of members has four hundred.
 *
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
export function checksumAddress(address: Address): Address {
  const before = known.get(address)
  if (before) return before
  text.write(address, 'latin1')
  const hash = keccak.init().update(digits).digest('binary')
  for (let at = 0; at < digits.length; at++) {
    const half = (hash[at >> 1] as number) >> (at % 2 === 0 ? 4 : 0)
    const digit = digits[at] as number
    if ((half & 8) !== 0 && digit >= firstLetter) digits[at] = digit - toUpper
  }
  const checksummed = text.toString('latin1') as Address
  if (known.size >= knownLimit) known.clear()
  known.set(address, checksummed)
  return checksummed
}
