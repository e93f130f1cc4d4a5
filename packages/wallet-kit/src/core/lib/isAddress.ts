import type { Address } from 'viem'

/** Checks for `0x` and 40 hex digits in any case. viem's own check needs the checksum hash, which is large. */
export function isAddress(value: unknown): value is Address {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
}
