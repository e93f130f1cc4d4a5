import type { MutateOptions } from '@tanstack/react-query'
import type { Abi, ContractFunctionArgs, ContractFunctionName, WriteContractParameters } from 'viem'
import type { WalletKitErrorType } from '../core/lib/errors.ts'
import { sendWithKit } from './sendWithKit.ts'
import { type KitMutation, type SentTransaction, type TransactionOptions, useKitMutation } from './useKitMutation.ts'

type Writing = 'nonpayable' | 'payable'

export type WriteContractVariables<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Writing> = ContractFunctionName<abi, Writing>,
  args extends ContractFunctionArgs<abi, Writing, functionName> = ContractFunctionArgs<abi, Writing, functionName>,
> = Omit<WriteContractParameters<abi, functionName, args>, 'account' | 'chain'> & TransactionOptions

type WriteContractActions = {
  mutate: <
    const abi extends Abi | readonly unknown[],
    functionName extends ContractFunctionName<abi, Writing>,
    args extends ContractFunctionArgs<abi, Writing, functionName>,
  >(
    variables: WriteContractVariables<abi, functionName, args>,
    options?: MutateOptions<SentTransaction, WalletKitErrorType, WriteContractVariables>,
  ) => void
  mutateAsync: <
    const abi extends Abi | readonly unknown[],
    functionName extends ContractFunctionName<abi, Writing>,
    args extends ContractFunctionArgs<abi, Writing, functionName>,
  >(
    variables: WriteContractVariables<abi, functionName, args>,
    options?: MutateOptions<SentTransaction, WalletKitErrorType, WriteContractVariables>,
  ) => Promise<SentTransaction>
}

export type UseWriteContractReturnType = KitMutation<SentTransaction, WriteContractVariables, WriteContractActions>

/**
 * Asks the connected wallet to call a contract in a transaction.
 *
 * @returns A mutation of TanStack Query: `mutate` takes `address`, `abi`, `functionName`, `args`, `value`, `chainId`
 * and `description`; `data` has the `hash`. Its `error` is a `WalletKitError`, as in `useSendTransaction`.
 * @see https://viem.sh/docs/contract/writeContract
 * @example
 * ```tsx
 * const { mutate, error } = useWriteContract()
 * mutate({ address: token, abi: erc20Abi, functionName: 'transfer', args: [friend, 10n], description: 'Paid 10 USDT' })
 * ```
 */
export function useWriteContract(): UseWriteContractReturnType {
  return useKitMutation('writeContract', (kit, { chainId, description, ...call }: WriteContractVariables) =>
    sendWithKit(kit, { ...(chainId && { chainId }), ...(description && { description }) }, (wallet) =>
      wallet.writeContract({ ...call, account: wallet.account, chain: wallet.chain } as never),
    ),
  ) as unknown as UseWriteContractReturnType
}
