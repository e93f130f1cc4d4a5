import { isCallsId, isHash, isRecord } from '../lib/untrusted.ts'
import type { Transaction, TransactionAccount } from '../state/state.ts'
import type { StoredTransaction } from './readProgress.ts'

const maxSettled = 10

/** Transactions by `toAccountKey`, the latest first. */
export type StoredTransactions = Record<string, StoredTransaction[]>

export const isPending = ({ status }: Transaction): boolean => status === 'pending'

/** Returns the id of a transaction, which stays the same when it is replaced by one with a higher fee. */
export const toId = ({ hash, originalHash = hash, callsId }: Transaction): string =>
  callsId ?? `${originalHash}`.toLowerCase()

export const toAccountKey = ({ address, chainId }: TransactionAccount): string => `${chainId}:${address.toLowerCase()}`

/** Returns all pending transactions and the `maxSettled` that settled last. */
export function keepRecent(list: StoredTransaction[]): StoredTransaction[] {
  const settled = list.filter((transaction) => !isPending(transaction))
  const old = new Set(settled.sort((a, b) => toEnd(b) - toEnd(a)).slice(maxSettled))
  return list.filter((transaction) => !old.has(transaction))
}

const toEnd = ({ settledAt, createdAt }: Transaction): number => settledAt ?? createdAt

/** Parses stored transactions; drops invalid entries. */
export function parseTransactions(value: unknown): StoredTransactions | undefined {
  if (!isRecord(value)) return undefined
  return Object.fromEntries(
    Object.entries(value).map(([key, list]) => [key, Array.isArray(list) ? keepRecent(parseList(list)) : []]),
  )
}

function parseList(list: unknown[]): StoredTransaction[] {
  const transactions = new Map<string, StoredTransaction>()
  for (const entry of list) {
    const transaction = parseTransaction(entry)
    if (transaction && !transactions.has(toId(transaction))) transactions.set(toId(transaction), transaction)
  }
  return [...transactions.values()]
}

const statuses = ['pending', 'confirmed', 'failed'] as const
const awaited = ['owners', 'execution', 'wallet'] as const
const failureReasons = ['reverted', 'partial', 'timeout', 'cancelled', 'dropped'] as const

function parseTransaction(value: unknown): StoredTransaction | undefined {
  if (!isRecord(value)) return undefined
  const { hash, originalHash, callsId, walletId, description, confirmations } = value
  const { sent, createdAt, executedAt, settledAt } = value
  const status = statuses.find((one) => one === value.status)
  const awaiting = awaited.find((one) => one === value.awaiting)
  const failureReason = failureReasons.find((one) => one === value.failureReason)
  if (!isHash(hash) && !isCallsId(callsId)) return undefined
  if (typeof description !== 'string' || !status || !isTime(createdAt)) return undefined
  return {
    ...(isHash(hash) && { hash }),
    ...(isHash(originalHash) && { originalHash }),
    ...(isCallsId(callsId) && { callsId }),
    ...(typeof walletId === 'string' && { walletId }),
    description,
    ...(isConfirmations(confirmations) && { confirmations }),
    status,
    ...(status === 'pending' && awaiting && !isTime(executedAt) && { awaiting }),
    ...(status === 'failed' && failureReason && { failureReason }),
    createdAt,
    ...(isTime(executedAt) && { executedAt }),
    ...(isTime(settledAt) && { settledAt }),
    ...(isRecord(sent) &&
      isHash(sent.call) &&
      Number.isSafeInteger(sent.nonce) && { sent: { nonce: sent.nonce as number, call: sent.call } }),
  }
}

/** Checks for milliseconds that a `Date` can hold. */
const isTime = (value: unknown): value is number => (value as number) >= 0 && +new Date(value as number) === value

export const isConfirmations = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1
