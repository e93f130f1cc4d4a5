import type { UseQueryResult } from '@tanstack/react-query'
import { type Address, erc20Abi } from 'viem'
import { getBalance, readContract } from 'viem/actions'
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
  const contract = { address: token, abi: erc20Abi } as const
  const [value, decimals, symbol] = await Promise.all([
    readContract(client, { ...contract, functionName: 'balanceOf', args: [address] }),
    readContract(client, { ...contract, functionName: 'decimals' }),
    // Some old tokens return the symbol in another format.
    readContract(client, { ...contract, functionName: 'symbol' }).catch(() => ''),
  ])
  if (!Number.isInteger(decimals) || decimals > 77)
    throw new WalletKitError('This contract is not an ERC-20 token: its number of decimals is invalid.')
  return toBalance({ value, decimals, symbol: parseUntrustedText(symbol, 20) })
}
