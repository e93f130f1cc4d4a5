import { isHash, parseChainId, readList, readProperty } from '../lib/untrusted.ts'
import type { Progress } from './readProgress.ts'

/**
 * Capabilities of a wallet on a chain, by name. Wallets add their own names.
 *
 * @see https://eips.ethereum.org/EIPS/eip-5792#wallet_getcapabilities
 */
export type WalletCapabilities = {
  /**
   * Support for calls that are executed together or not at all; `ready`: after the person agrees to an upgrade of the
   * account.
   */
  atomic?: { status: 'supported' | 'ready' | 'unsupported' }
  /** Support for fees that another account pays. @see https://eips.ethereum.org/EIPS/eip-7677 */
  paymasterService?: { supported: boolean }
  [name: string]: unknown
}

const atomicStatuses = ['supported', 'ready', 'unsupported'] as const

/** Parses the answer to `wallet_getCallsStatus`: the outcome, or `pending`. Returns `undefined` for other answers. */
export function parseCallsStatus(answer: unknown): 'pending' | Progress | undefined {
  const status = readProperty(answer, 'status')
  const receipts = readList(readProperty(answer, 'receipts')) ?? []
  const hash = receipts.map((receipt) => readProperty(receipt, 'transactionHash')).findLast(isHash)
  const settle = (progress: Progress): Progress => ({ ...progress, ...(hash && { hash }) })
  if (status === 'PENDING') return 'pending'
  // Early versions had no code for this.
  if (status === 'CONFIRMED') return settle(receipts.some(isReverted) ? reverted : confirmed)
  if (typeof status !== 'number' || !Number.isInteger(status)) return undefined
  const outcome = outcomes[Math.floor(status / 100)]
  return outcome === undefined || outcome === 'pending' ? outcome : settle(outcome)
}

const confirmed: Progress = { status: 'confirmed' }
const reverted: Progress = { status: 'failed', failureReason: 'reverted' }

/** Outcomes by the first digit of the status: https://eips.ethereum.org/EIPS/eip-5792#status-codes-for-status-field */
const outcomes: Partial<Record<number, 'pending' | Progress>> = {
  1: 'pending',
  2: confirmed,
  4: { status: 'failed', failureReason: 'dropped' },
  5: reverted,
  6: { status: 'failed', failureReason: 'partial' },
}

const isReverted = (receipt: unknown): boolean => {
  const status = readProperty(receipt, 'status')
  return status === '0x0' || status === 'reverted'
}

/** Parses the answer to `wallet_getCapabilities` for a chain. Chain 0 means every chain. */
export function parseCapabilities(answer: unknown, chainId: number): WalletCapabilities {
  return { ...parseChain(answer, isEveryChain), ...parseChain(answer, (key) => parseChainId(key) === chainId) }
}

const isEveryChain = (key: string): boolean => /^(0x)?0+$/i.test(key)

function parseChain(answer: unknown, isWanted: (key: string) => boolean): WalletCapabilities {
  const chain = readProperty(answer, readKeys(answer).find(isWanted) ?? '')
  const named = readKeys(chain).map((name) => [name, readProperty(chain, name)] as const)
  const { atomic, paymasterService, ...others } = Object.fromEntries(named.filter(([name]) => name !== '__proto__'))
  const status = atomicStatuses.find((one) => one === readProperty(atomic, 'status'))
  const supported = readProperty(paymasterService, 'supported')
  return {
    ...others,
    ...(status && { atomic: { status } }),
    ...(typeof supported === 'boolean' && { paymasterService: { supported } }),
  }
}

function readKeys(source: unknown): string[] {
  try {
    return typeof source === 'object' && source !== null ? Object.keys(source).slice(0, 100) : []
  } catch {
    return []
  }
}
