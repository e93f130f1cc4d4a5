import type { Account, Chain, Transport, WalletClient } from 'viem'
import { ChainError, WalletKitError } from '../core/lib/errors.ts'
import { isHash } from '../core/lib/untrusted.ts'
import { isEstablished, toConnection } from '../core/state/transitions.ts'
import { parseSentId, recordSent } from '../core/transactions/recordSent.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import type { SentTransaction, TransactionOptions } from './useKitMutation.ts'

/** Sends a transaction with the kit's wallet on the requested chain, and follows it if it has a description. */
export async function sendWithKit(
  kit: WalletKit,
  { chainId, description }: TransactionOptions,
  send: (wallet: WalletClient<Transport, Chain, Account>) => Promise<unknown>,
): Promise<SentTransaction> {
  if (description !== undefined && !description.trim()) throw new WalletKitError('Transaction must have a description')
  if (chainId !== undefined && kit.getState().chainId !== chainId) await kit.switchChain({ chainId })
  const wallet = await kit.getWalletClient()
  if (chainId !== undefined && wallet.chain.id !== chainId)
    throw new ChainError('The wallet has left the network of this transaction. Try again.')
  const state = kit.getState()
  const connection = toConnection(state)
  const id = parseSentId(await send(wallet))
  if (description && connection) recordSent(kit, 'transaction', id, { description, connection })
  // A Safe that surrounds the page returns the hash of its own transaction, which is not on the chain.
  const isOwnHash = isEstablished(state) && state.connector.readTransaction !== undefined
  return { hash: isHash(id) && !isOwnHash ? id : undefined, id }
}
