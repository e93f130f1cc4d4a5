import type { Address } from 'viem'
import { isAddress, isRecord } from '../lib/untrusted.ts'

/** The last connection as stored, to restore it without a prompt. */
export type StoredConnection = {
  walletId: string
  rdns?: string
  /** The kind of the connector. */
  kind: string
  address: Address
  chainId: number
}

/** Parses a stored connection. Returns `undefined` for other values. */
export function parseStoredConnection(value: unknown): StoredConnection | undefined {
  if (!isRecord(value)) return undefined
  const { walletId, rdns, kind, address, chainId } = value
  if (typeof walletId !== 'string' || typeof kind !== 'string' || !isAddress(address)) return undefined
  if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId)) return undefined
  return { walletId, kind, address, chainId, ...(typeof rdns === 'string' && { rdns }) }
}

/** Parses the stored ids of recent wallets. Returns `undefined` for other values. */
export function parseRecentWallets(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return [...new Set(value.filter((id): id is string => typeof id === 'string'))].slice(0, maxRecentWallets)
}

export const maxRecentWallets = 3
