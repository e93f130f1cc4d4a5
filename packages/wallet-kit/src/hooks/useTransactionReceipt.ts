import type { UseQueryResult } from '@tanstack/react-query'
import type { Client, Hash, ReplacementReason, TransactionReceipt } from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import { assertParameters, WalletKitError, type WalletKitErrorType } from '../core/lib/errors.ts'
import type { KitChainId } from '../core/WalletKit.ts'
import { type KitQueryOptions, useKitQuery } from './useKitQuery.ts'

export type UseTransactionReceiptParameters = {
  /** While it is `undefined`, nothing is read. */
  hash: Hash | undefined
  /** Default: 1. */
  confirmations?: number | undefined
  /** Default: the chain of the wallet if the app supports it, otherwise the initial one. */
  chainId?: KitChainId | undefined
  query?: KitQueryOptions | undefined
}

export type UseTransactionReceiptReturnType = UseQueryResult<TransactionReceipt, WalletKitErrorType>

/** Time limit for a receipt in milliseconds, the same as in `kit.addTransaction`. Below: the pause after a failed read. */
const timeout = 300_000
const retryDelay = 1_000

/** Why a transaction with the same nonce took the place of this one. A higher fee is the same transaction. */
const replacements: Partial<Record<ReplacementReason, string>> = {
  cancelled: 'The transaction was cancelled in the wallet.',
  replaced: 'The transaction was replaced by another one in the wallet.',
}

/**
 * Waits for the receipt of a transaction, or of the same transaction with a higher fee. Check its `status`: a
 * reverted transaction has a receipt too. For a list that survives a reload, use `kit.addTransaction`.
 *
 * @param parameters - `hash`, `confirmations`, `chainId`; options of the `query`.
 * @returns A query of TanStack Query: `pending` while waiting, also while nodes fail. Its `error` is a
 * `WalletKitError` if the transaction was cancelled or replaced in the wallet, or has no receipt after five minutes.
 * @see https://viem.sh/docs/actions/public/waitForTransactionReceipt
 * @example
 * ```tsx
 * const { data: receipt, error } = useTransactionReceipt({ hash })
 * if (error) return <p>{error.shortMessage}</p>
 * return <p>{receipt ? (receipt.status === 'success' ? 'Done' : 'Reverted') : 'Waiting…'}</p>
 * ```
 */
export function useTransactionReceipt(parameters: UseTransactionReceiptParameters): UseTransactionReceiptReturnType {
  assertParameters(parameters, 'hash')
  const { hash, confirmations = 1, chainId, query } = parameters
  return useKitQuery({
    name: 'receipt',
    key: hash && [hash.toLowerCase(), confirmations],
    chainId,
    read: (kit, chainId) => waitForReceipt(kit.getClient({ chainId }), hash as Hash, confirmations),
    query: { ...query, staleTime: query?.staleTime ?? Number.POSITIVE_INFINITY, retry: query?.retry ?? false },
    changes: 'never',
  })
}

/** Waits for a receipt. Begins again after a failed read, because viem ends with the first one. */
async function waitForReceipt(client: Client, hash: Hash, confirmations: number): Promise<TransactionReceipt> {
  const deadline = Date.now() + timeout
  let replacement: string | undefined
  const onReplaced = ({ reason }: { reason: ReplacementReason }) => {
    replacement = replacements[reason]
  }
  for (;;) {
    const rest = Math.max(deadline - Date.now(), 1)
    const wait = waitForTransactionReceipt(client, { hash, confirmations, timeout: rest, onReplaced })
    const receipt = await wait.catch((error: unknown) => {
      if (Date.now() >= deadline) throw error
    })
    if (replacement) throw new WalletKitError(replacement)
    if (receipt) return receipt
    await new Promise((resolve) => setTimeout(resolve, retryDelay))
  }
}
