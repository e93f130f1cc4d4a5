import { createKeccak } from 'hash-wasm'
import type { Address } from 'viem'

const keccak = await createKeccak(256)
const text = Buffer.from('0x'.padEnd(42, '0'))
const digits = text.subarray(2)
const firstLetter = 0x61
const toUpper = 0x20
/**
 * Recently checksummed addresses, such as the root of all members and those of the current request: one in each slot,
 * replaced by the next of that slot. Entries of a `Map` would live long enough to cost garbage collections.
 */
const cache = Array.from({ length: 4_096 }, () => ({ address: '', checksummed: '0x' as Address }))

/**
 * Returns the EIP-55 form of an address in lower case.
 *
 * About ten times faster than viem's `getAddress`: a page of members has four hundred addresses.
 *
 * @see https://eips.ethereum.org/EIPS/eip-55
 */
export function checksumAddress(address: Address): Address {
  text.write(address, 'latin1')
  const slot = cache[slotOf(digits)] as (typeof cache)[number]
  if (slot.address === address) return slot.checksummed
  const hash = keccak.init().update(digits).digest('binary')
  for (let at = 0; at < digits.length; at++) {
    const nibble = (hash[at >> 1] as number) >> (at % 2 === 0 ? 4 : 0)
    const digit = digits[at] as number
    if ((nibble & 8) !== 0 && digit >= firstLetter) digits[at] = digit - toUpper
  }
  slot.address = address
  slot.checksummed = text.toString('latin1') as Address
  return slot.checksummed
}

/** Hashes digits in lower case to a slot of the cache. */
function slotOf(digits: Uint8Array): number {
  let hash = 0
  for (let at = 0; at < digits.length; at++) hash = Math.imul(hash, 31) + (digits[at] as number)
  return hash & (cache.length - 1)
}
