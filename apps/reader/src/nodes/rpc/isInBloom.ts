import { type Hex, hexToBytes, keccak256 } from 'viem'

/**
 * Returns whether a bloom filter may contain an address or topic of a log.
 *
 * @see https://ethereum.github.io/yellowpaper/paper.pdf, section 4.4.3
 */
export function isInBloom(bloom: Hex, value: Hex): boolean {
  const bits = hexToBytes(bloom)
  const hash = hexToBytes(keccak256(value))
  return [0, 2, 4].every((index) => {
    const bit = (((hash[index] ?? 0) << 8) | (hash[index + 1] ?? 0)) & 0x7ff
    return ((bits[bits.length - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0
  })
}
