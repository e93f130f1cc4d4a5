import type { Address } from 'viem'
import { isAddress } from '../lib/isAddress.ts'
import { readList, readProperty } from '../lib/readProperty.ts'

/**
 * Parses a chain id: hex or decimal string, number, bigint, or an object with `chainId`. Returns `undefined` for
 * other values.
 */
export function parseChainId(payload: unknown): number | undefined {
  const value = typeof payload === 'object' ? readProperty(payload, 'chainId') : payload
  if (typeof value === 'string' && !/^\s*(0x[0-9a-f]+|\d+)\s*$/i.test(value)) return undefined
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const chainId = Number(value)
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined
}

/**
 * Parses a list of addresses and drops other entries. Returns `undefined` for other values, and for a list with
 * entries but no address.
 */
export function parseAccounts(payload: unknown): Address[] | undefined {
  const list = readList(payload)
  const accounts = list?.filter(isAddress)
  return list?.length && !accounts?.length ? undefined : accounts
}
