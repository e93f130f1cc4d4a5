import type { UseQueryResult } from '@tanstack/react-query'
import type { Hash, TransactionReceipt } from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import type { WalletKitErrorType } from '../core/lib/errors.ts'
import type { KitChainId } from './register.ts'
import { type KitQueryOptions, useKitQuery } from './useKitQuery.ts'

/** The argument of `useTransactionReceipt`. */
export type UseTransactionReceiptParameters = {
  /** While it is `undefined`, nothing is read. */
  hash: Hash | undefined
  /** Default: 1. */
  confirmations?: number
  /** Default: the chain of the wallet if the app supports it, otherwise the initial one. */
  chainId?: KitChainId
  query?: KitQueryOptions
}

/** Time limit for a receipt in milliseconds, the same as in `kit.addTransaction`. */
const timeout = 300_000

/**
 * Waits for the receipt of a transaction, or of the transaction that replaces it. Check its `status`: a reverted
 * transaction has a receipt too. For a list that survives a reload, use `kit.addTransaction`.
 *
 * @param parameters - `hash`, `confirmations`, `chainId`; options of the `query`.
 * @returns A query of TanStack Query: `pending` while waiting, `error` a `WalletKitError` after five minutes.
 * @see https://viem.sh/docs/actions/public/waitForTransactionReceipt
 * @example
 * ```tsx
 * const { data: receipt } = useTransactionReceipt({ hash })
 * return <p>{receipt ? (receipt.status === 'success' ? 'Done' : 'Reverted') : 'Waiting…'}</p>
 * ```
 */
export function useTransactionReceipt({
  hash,
  confirmations = 1,
  chainId,
  query,
}: UseTransactionReceiptParameters): UseQueryResult<TransactionReceipt, WalletKitErrorType> {
  return useKitQuery({
    key: hash && ['receipt', hash.toLowerCase(), confirmations],
    chainId,
    read: (kit, chainId) =>
      waitForTransactionReceipt(kit.getClient(chainId), { hash: hash as Hash, confirmations, timeout }),
    query: { staleTime: Number.POSITIVE_INFINITY, retry: false, ...query },
    changes: 'never',
  })
}
