import type { MutateOptions, UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import type { Abi, Address, ContractFunctionArgs, ContractFunctionName, Hex, WriteContractParameters } from 'viem'
import { assertParameters, type WalletKitErrorType } from '../core/lib/errors.ts'
import type { Transaction } from '../core/state/state.ts'
import type { SendCallsParameters, SentCalls } from '../core/transactions/calls.ts'
import type { WalletCapabilities } from '../core/transactions/parseCalls.ts'
import type { KitChainId } from '../core/WalletKit.ts'
import { useWalletKitState } from '../react/hooks/useWalletKit.ts'
import {
  type KitMutation,
  type SentTransaction,
  sendWithKit,
  type TransactionOptions,
  useKitMutation,
} from './useKitMutation.ts'
import { type KitQueryOptions, useKitQuery } from './useKitQuery.ts'

export type SendTransactionVariables = TransactionOptions & {
  to: Address
  /** Amount in the smallest unit of the chain's currency. */
  value?: bigint | undefined
  data?: Hex | undefined
  /** Default: the wallet's estimate. */
  gas?: bigint | undefined
}

export type UseSendTransactionReturnType = UseMutationResult<
  SentTransaction,
  WalletKitErrorType,
  SendTransactionVariables
>

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
export function useSendTransaction(): UseSendTransactionReturnType {
  return useKitMutation('sendTransaction', (kit, { chainId, description, ...transaction }) =>
    sendWithKit(kit, transaction.to, { ...(chainId && { chainId }), ...(description && { description }) }, (wallet) =>
      wallet.sendTransaction({ ...transaction, account: wallet.account, chain: wallet.chain }),
    ),
  )
}

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
    sendWithKit(kit, call.address, { ...(chainId && { chainId }), ...(description && { description }) }, (wallet) =>
      wallet.writeContract({ ...call, account: wallet.account, chain: wallet.chain } as never),
    ),
  ) as unknown as UseWriteContractReturnType
}

type SendCallsActions = {
  mutate: <const calls extends readonly unknown[]>(
    variables: SendCallsParameters<calls, KitChainId>,
    options?: MutateOptions<SentCalls, WalletKitErrorType, SendCallsParameters<readonly unknown[], KitChainId>>,
  ) => void
  mutateAsync: <const calls extends readonly unknown[]>(
    variables: SendCallsParameters<calls, KitChainId>,
    options?: MutateOptions<SentCalls, WalletKitErrorType, SendCallsParameters<readonly unknown[], KitChainId>>,
  ) => Promise<SentCalls>
}

export type UseSendCallsReturnType = KitMutation<
  SentCalls,
  SendCallsParameters<readonly unknown[], KitChainId>,
  SendCallsActions
>

/**
 * Asks the connected wallet to send several calls, like `kit.sendCalls`.
 *
 * @returns A mutation of TanStack Query: `mutate` takes the argument of `kit.sendCalls`, `data` is its result. Its
 * `error` is a `WalletKitError`.
 * @see https://eips.ethereum.org/EIPS/eip-5792
 * @example
 * ```tsx
 * const { mutate } = useSendCalls()
 * mutate({ calls: [{ to: shop, data: order }], description: 'Bought a ticket', fallback: 'sequential' })
 * ```
 */
export function useSendCalls(): UseSendCallsReturnType {
  return useKitMutation('sendCalls', (kit, parameters: SendCallsParameters) =>
    kit.sendCalls(parameters),
  ) as unknown as UseSendCallsReturnType
}

export type UseTransactionStatusParameters = {
  /** While it is `undefined`, nothing is returned. */
  id: string | undefined
}

export type UseTransactionStatusReturnType = Transaction | undefined

/**
 * Returns the progress of a transaction or of calls that were sent with a `description`, by the id in the result of
 * `useSendTransaction`, `useWriteContract` or `useSendCalls`. Also for contract wallets, whose transactions have no
 * hash until their owners have signed. Until `status` is `failed`, do not let people send it again; after `timeout` it
 * may still happen.
 *
 * @param parameters - `id`: `data.id`, or one of `data.ids`. While it is `undefined`, nothing is returned.
 * @returns The entry of `state.transactions`: its `status`, what it is `awaiting`, its `failureReason`, its `hash`.
 * `undefined` if the connected account has none with this id on its chain.
 * @see https://eips.ethereum.org/EIPS/eip-5792#wallet_getcallsstatus
 * @example
 * ```tsx
 * const { data } = useSendCalls()
 * const purchase = useTransactionStatus({ id: data?.ids.at(-1) })
 * if (purchase?.awaiting === 'owners') return <p>The other owners have to sign.</p>
 * return <p>{purchase?.status}</p>
 * ```
 */
export function useTransactionStatus(parameters: UseTransactionStatusParameters): UseTransactionStatusReturnType {
  assertParameters(parameters, 'id')
  const { id } = parameters
  return useWalletKitState(({ transactions }) =>
    transactions.find(({ callsId, originalHash, hash }) => id && [callsId, originalHash, hash].includes(id)),
  )
}

export type UseCapabilitiesParameters = {
  /** Default: the chain of the wallet. */
  chainId?: KitChainId | undefined
  query?: KitQueryOptions | undefined
}

export type UseCapabilitiesReturnType = UseQueryResult<WalletCapabilities, WalletKitErrorType>

/**
 * Asks the connected wallet for its capabilities on a chain.
 *
 * @param parameters - `chainId`; options of the `query`.
 * @returns A query of TanStack Query: the capabilities by name, `{}` when there are none. Idle while nothing is
 * connected.
 * @see https://eips.ethereum.org/EIPS/eip-5792#wallet_getcapabilities
 * @example
 * ```tsx
 * const { data } = useCapabilities()
 * const isOneTransaction = data?.atomic?.status === 'supported'
 * ```
 */
export function useCapabilities(parameters: UseCapabilitiesParameters = {}): UseCapabilitiesReturnType {
  assertParameters(parameters, 'chainId', 'query')
  const { chainId, query } = parameters
  // Another wallet may have the same account.
  const connection = useWalletKitState((state) => state.connectionId)
  const current = useWalletKitState((state) => state.chainId)
  const address = useWalletKitState((state) => (state.connectionId === undefined ? undefined : state.address))
  return useKitQuery({
    name: 'capabilities',
    key: address && [address.toLowerCase(), connection],
    // Also a chain that the app does not support.
    chainId: chainId ?? current,
    read: (kit, chainId) => kit.getCapabilities({ chainId }),
    query: { ...query, staleTime: query?.staleTime ?? Number.POSITIVE_INFINITY },
    // An account can be upgraded to a smart account.
    changes: 'withTransactions',
  })
}
