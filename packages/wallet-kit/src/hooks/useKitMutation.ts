import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { Account, Address, Chain, Transport, WalletClient } from 'viem'
import {
  ChainError,
  createNotConnectedError,
  toWalletKitError,
  WalletKitError,
  type WalletKitErrorType,
} from '../core/lib/errors.ts'
import { isAddress, isHash } from '../core/lib/untrusted.ts'
import { isEstablished, toConnection } from '../core/state/state.ts'
import { parseSentId, recordSent } from '../core/transactions/recordSent.ts'
import type { KitChainId, WalletKit } from '../core/WalletKit.ts'
import { useWalletKit } from '../react/hooks/useWalletKit.ts'

/** Omits keys from each member of a union. */
type OmitEach<union, keys extends PropertyKey> = union extends unknown ? Omit<union, keys> : never

/** The result of a mutation whose `mutate` and `mutateAsync` infer types from their argument. */
export type KitMutation<data, variables, actions> = OmitEach<
  UseMutationResult<data, WalletKitErrorType, variables>,
  'mutate' | 'mutateAsync'
> &
  actions

/** Creates a mutation of TanStack Query that asks the wallet, with the kit's errors. */
export function useKitMutation<variables, data>(
  name: string,
  ask: (kit: WalletKit, variables: variables) => Promise<data>,
): UseMutationResult<data, WalletKitErrorType, variables> {
  const kit = useWalletKit({ shouldThrow: false })
  return useMutation<data, WalletKitErrorType, variables>({
    mutationKey: ['walletKit', kit?.config.id ?? '', name],
    mutationFn: async (variables) => {
      if (!kit) throw createNotConnectedError()
      try {
        return await ask(kit, variables)
      } catch (thrown) {
        throw toWalletKitError(thrown)
      }
    },
  })
}

/** Options of every transaction of the hooks. */
export type TransactionOptions = {
  /** Switches the wallet to this chain first. Default: the chain it is on. */
  chainId?: KitChainId | undefined
  /** Description for people, in one sentence. With it, the kit shows and follows the transaction. */
  description?: string | undefined
}

/** A transaction that the wallet accepted. */
export type SentTransaction = {
  /** `undefined` if a contract wallet returned an id, a signature or a hash of its own instead. */
  hash: `0x${string}` | undefined
  /** The wallet's answer: the hash, or else the id by which the kit follows it. */
  id: string
}

/** Sends a transaction with the kit's wallet on the requested chain, and follows it if it has a description. */
export async function sendWithKit(
  kit: WalletKit,
  to: Address,
  { chainId, description }: TransactionOptions,
  send: (wallet: WalletClient<Transport, Chain, Account>) => Promise<unknown>,
): Promise<SentTransaction> {
  // Without an address, a wallet sends the value to a new contract.
  if (!isAddress(to)) throw new WalletKitError('Invalid address')
  if (description !== undefined && !description.trim()) throw new WalletKitError('Transaction must have a description')
  if (chainId !== undefined && kit.getState().chainId !== chainId) await kit.switchChain({ chainId })
  const wallet = await kit.getWalletClient()
  if (chainId !== undefined && wallet.chain.id !== chainId)
    throw new ChainError('The wallet has left the network of this transaction. Try again.')
  const state = kit.getState()
  const connection = toConnection(state)
  const id = parseSentId(await send(wallet))
  if (description && connection) recordSent(kit, 'transaction', id, { description, connection })
  // A Safe that contains the page returns the hash of its own transaction, which is not on the chain.
  const isOwnHash = isEstablished(state) && state.connector.readTransaction !== undefined
  return { hash: isHash(id) && !isOwnHash ? id : undefined, id }
}
