import type { UseMutationResult } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import type { WalletKitErrorType } from '../core/lib/errors.ts'
import { sendWithKit } from './sendWithKit.ts'
import { type SentTransaction, type TransactionOptions, useKitMutation } from './useKitMutation.ts'

export type SendTransactionVariables = TransactionOptions & {
  to: Address
  /** Amount in the smallest unit of the chain's currency. */
  value?: bigint | undefined
  data?: Hex | undefined
  /** Default: the wallet's estimate. */
  gas?: bigint | undefined
}

/**
 * Asks the connected wallet to send a transaction.
 *
 * @returns A mutation of TanStack Query: `mutate` takes `to`, `value`, `data`, `gas`, `chainId` and `description`;
 * `data` has the `hash`. Its `error` is a `WalletKitError`: `UserRejectedError` when the person rejected the request,
 * `WalletNotAvailableError` while nothing is connected, `ChainError` on an unsupported chain.
 * @see https://viem.sh/docs/actions/wallet/sendTransaction
 * @example
 * ```tsx
 * const { mutate, isPending } = useSendTransaction()
 * mutate({ to: '0x…', value: parseEther('0.01'), description: 'Donated 0.01 BNB' })
 * ```
 */
export function useSendTransaction(): UseMutationResult<SentTransaction, WalletKitErrorType, SendTransactionVariables> {
  return useKitMutation('sendTransaction', (kit, { chainId, description, ...transaction }) =>
    sendWithKit(kit, { ...(chainId && { chainId }), ...(description && { description }) }, (wallet) =>
      wallet.sendTransaction({ ...transaction, account: wallet.account, chain: wallet.chain }),
    ),
  )
}
