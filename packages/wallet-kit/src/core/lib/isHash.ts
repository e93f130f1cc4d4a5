import type { Hash } from 'viem'

/** Checks for `0x` and 64 hex digits. */
export function isHash(value: unknown): value is Hash {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
}

/** Checks for an id of calls: any text of at most 4,096 bytes in hex. https://eips.ethereum.org/EIPS/eip-5792 */
export function isCallsId(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 8_194
}
