import type { UseQueryResult } from '@tanstack/react-query'
import {
  type Abi,
  type AbiFunction,
  type Address,
  type Client,
  type ContractFunctionArgs,
  type ContractFunctionName,
  erc20Abi,
  type Hash,
  type ReadContractParameters,
  type ReadContractReturnType,
  type ReplacementReason,
  type TransactionReceipt,
} from 'viem'
import { getBalance, readContract, waitForTransactionReceipt } from 'viem/actions'
import { assertParameters, WalletKitError, type WalletKitErrorType } from '../core/lib/errors.ts'
import { type Balance, toBalance } from '../core/lib/format.ts'
import { parseUntrustedText } from '../core/lib/untrusted.ts'
import type { KitChainId, WalletKit } from '../core/WalletKit.ts'
import { useWalletKitState } from '../react/hooks/useWalletKit.ts'
import { type KitQueryOptions, useKitQuery } from './useKitQuery.ts'

export type UseBalanceParameters = {
  /** Default: the connected account. */
  address?: Address | undefined
  /** An ERC-20 token. Default: the chain's own currency. */
  token?: Address | undefined
  /** Default: the chain of the wallet if the app supports it, otherwise the initial one. */
  chainId?: KitChainId | undefined
  query?: KitQueryOptions | undefined
}

export type UseBalanceReturnType = UseQueryResult<Balance, WalletKitErrorType>

/**
 * Reads the balance of any account, in the chain's currency or an ERC-20 token. Reads it again when a transaction
 * that the kit follows settles.
 *
 * @param parameters - `address`, `token`, `chainId`; options of the `query`.
 * @returns A query of TanStack Query: `formatted` is the exact number, as in wagmi; `displayBalance` is shortened, with the
 * symbol, in English. Its `error` is a `WalletKitError`. Idle without `address` while nothing is connected.
 * @see https://eips.ethereum.org/EIPS/eip-20
 * @example
 * ```tsx
 * const { data } = useBalance({ token: usdt }) // data.formatted: '1234.5678', data.displayBalance: '1,234.5 USDT'
 * ```
 */
export function useBalance(parameters: UseBalanceParameters = {}): UseBalanceReturnType {
  assertParameters(parameters, 'address', 'token', 'chainId', 'query')
  const { address, token, chainId, query } = parameters
  const connected = useWalletKitState(({ status, address }) => (status === 'connected' ? address : undefined))
  const account = address ?? connected
  return useKitQuery({
    name: 'balance',
    key: account && [account.toLowerCase(), token?.toLowerCase() ?? ''],
    chainId,
    read: (kit, chainId) => readBalance(kit, chainId, account as Address, token),
    query,
    changes: 'withTransactions',
  })
}

async function readBalance(
  kit: WalletKit,
  chainId: number,
  address: Address,
  token: Address | undefined,
): Promise<Balance> {
  const client = kit.getClient({ chainId })
  if (!token) {
    const { decimals, symbol } = client.chain.nativeCurrency
    return toBalance({ value: await getBalance(client, { address }), decimals, symbol })
  }
  // Without CCIP-Read (EIP-3668), by which a token would make the page contact any server.
  const reader = { ...client, ccipRead: false } as const
  const contract = { address: token, abi: erc20Abi } as const
  const [value, decimals, symbol] = await Promise.all([
    readContract(reader, { ...contract, functionName: 'balanceOf', args: [address] }),
    readContract(reader, { ...contract, functionName: 'decimals' }),
    // Some old tokens return the symbol in another format.
    readContract(reader, { ...contract, functionName: 'symbol' }).catch(() => ''),
  ])
  if (!Number.isInteger(decimals) || decimals > 77)
    throw new WalletKitError('This contract is not an ERC-20 token: its number of decimals is invalid.')
  return toBalance({ value, decimals, symbol: parseUntrustedText(symbol, 20) })
}

type Reading = 'pure' | 'view'

/** The call, whose arguments may be unknown. */
type Call<call> = { [key in keyof call]: key extends 'args' ? call[key] | undefined : call[key] }

export type UseReadContractParameters<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Reading> = ContractFunctionName<abi, Reading>,
  args extends ContractFunctionArgs<abi, Reading, functionName> = ContractFunctionArgs<abi, Reading, functionName>,
> = Call<Pick<ReadContractParameters<abi, functionName, args>, 'abi' | 'functionName' | 'args'>> & {
  /** While it is `undefined`, nothing is read, and while `args` is for a function that has some. */
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
 * @returns A query of TanStack Query, whose `error` is a `WalletKitError`. Idle while `address` or `args` is
 * `undefined`.
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
    key: address && !lacksArgs(call) ? [address.toLowerCase(), functionName, args] : undefined,
    chainId,
    read: (kit, chainId) => readContract(kit.getClient({ chainId }), { ...call, address } as never),
    query,
    changes: 'withTransactions',
  }) as never
}

/** Checks whether `args` is `undefined` on purpose. One that was left out is an error of the app, which viem explains. */
function lacksArgs(call: { abi: Abi | readonly unknown[]; functionName: string; args?: unknown }): boolean {
  if (!('args' in call) || call.args !== undefined) return false
  const functions = (call.abi as Abi).filter((item) => item.type === 'function' && item.name === call.functionName)
  return (functions as AbiFunction[]).every(({ inputs }) => inputs.length > 0)
}

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
