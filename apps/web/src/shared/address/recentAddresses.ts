import type { Address } from '@lineage/referral-api'
import { isAddress } from 'viem/utils'
import { readStored, writeStored } from '../../lib/storage.ts'

const key = 'lineage-recent-addresses'
const kept = 6

/** Returns the last addresses looked up on this device, newest first. */
export function readRecentAddresses(): Address[] {
  try {
    const stored: unknown = JSON.parse(readStored(key) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored.filter((item): item is Address => typeof item === 'string' && isAddress(item)).slice(0, kept)
  } catch {
    return []
  }
}

export const addRecentAddress = (address: Address): void =>
  writeStored(
    key,
    JSON.stringify([address, ...readRecentAddresses().filter((other) => other !== address)].slice(0, kept)),
  )

export const clearRecentAddresses = (): void => writeStored(key, undefined)
