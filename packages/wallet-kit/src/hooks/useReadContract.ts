import type { UseQueryResult } from '@tanstack/react-query'
import type {
  Abi,
  Address,
  ContractFunctionArgs,
  ContractFunctionName,
  ReadContractParameters,
  ReadContractReturnType,
} from 'viem'
import { readContract } from 'viem/actions'
import type { WalletKitErrorType } from '../core/lib/errors.ts'
import type { KitChainId } from '../core/WalletKit.ts'
import { type KitQueryOptions, useKitQuery } from './useKitQuery.ts'

type Reading = 'pure' | 'view'

export type UseReadContractParameters<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Reading> = ContractFunctionName<abi, Reading>,
  args extends ContractFunctionArgs<abi, Reading, functionName> = ContractFunctionArgs<abi, Reading, functionName>,
> = Pick<ReadContractParameters<abi, functionName, args>, 'abi' | 'functionName' | 'args'> & {
  /** While it is `undefined`, nothing is read. */
  address: Address | undefined
  /** Default: the chain of the wallet if the app supports it, otherwise the initial one. */
  chainId?: KitChainId | undefined
  query?: KitQueryOptions | undefined
}

export type UseReadContractReturnType<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Reading> = ContractFunctionName<abi, Reading>,
  args extends ContractFunctionArgs<abi, Reading, functionName> = ContractFunctionArgs<abi, Reading, functionName>,
> = UseQueryResult<ReadContractReturnType<abi, functionName, args>, WalletKitErrorType>

/**
 * Reads a contract through the kit's transports, with concurrent calls in one request. Reads it again when a
 * transaction that the kit follows settles. Needs the `QueryClientProvider` of `@tanstack/react-query`.
 *
 * @param parameters - The contract's `address`, `abi`, `functionName` and `args`; `chainId`; options of the `query`.
 * @returns A query of TanStack Query, whose `error` is a `WalletKitError`. Idle while `address` is `undefined`.
 * @see https://viem.sh/docs/contract/readContract
 * @example
 * ```tsx
 * const { data } = useReadContract({ address: token, abi: erc20Abi, functionName: 'totalSupply' })
 * ```
 */
export function useReadContract<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Reading>,
  const args extends ContractFunctionArgs<abi, Reading, functionName>,
>({
  address,
  chainId,
  query,
  ...call
}: UseReadContractParameters<abi, functionName, args>): UseReadContractReturnType<abi, functionName, args> {
  const { functionName, args = [] } = call as { functionName: string; args?: readonly unknown[] }
  return useKitQuery({
    name: 'readContract',
    key: address && [address.toLowerCase(), functionName, args],
    chainId,
    read: (kit, chainId) => readContract(kit.getClient({ chainId }), { ...call, address } as never),
    query,
    changes: 'withTransactions',
  }) as never
}
