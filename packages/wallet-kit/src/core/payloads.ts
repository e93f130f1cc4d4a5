import type { Address } from 'viem'
import { read, readList } from './read.ts'

/** A chain id in any of the forms wallets use: hex, decimal string, number, bigint. `undefined` for anything else. */
export function parseChainId(payload: unknown): number | undefined {
  const value = typeof payload === 'object' ? read(payload, 'chainId') : payload
  if (typeof value === 'string' && !/^\s*(0x[0-9a-f]+|\d+)\s*$/i.test(value)) return undefined
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const chainId = Number(value)
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined
}

/** The addresses of an answer or event, the selected one first. `undefined` when it is no list of accounts at all. */
export function parseAccounts(payload: unknown): Address[] | undefined {
  const list = readList(payload)
  if (!list) return undefined
  const accounts = list.filter(
    (account): account is Address => typeof account === 'string' && /^0x[0-9a-f]{40}$/i.test(account),
  )
  return accounts.length === 0 && list.length > 0 ? undefined : accounts
}
