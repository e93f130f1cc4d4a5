import type { Account, Chain, Transport, WalletClient } from 'viem'
import { ChainError, WalletKitError } from '../core/lib/errors.ts'
import { isHash } from '../core/lib/isHash.ts'
import type { Connection } from '../core/state/state.ts'
import { isEstablished, toConnection } from '../core/state/transitions.ts'
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
  const id = await send(wallet)
  if (description && connection) follow(kit, id, { description, connection })
  // A Safe that surrounds the page returns the hash of its own transaction, which is not on the chain.
  const isOwnHash = isEstablished(state) && state.connector.readTransaction !== undefined
  return { hash: isHash(id) && !isOwnHash ? id : undefined, id: String(id) }
}

/** Follows the transaction that the wallet returned. Throws nothing, because the person has signed. */
function follow(kit: WalletKit, id: unknown, sent: { description: string; connection: Connection }): void {
  try {
    if (isHash(id)) kit.addTransaction({ hash: id, ...sent })
    else kit.addCalls({ id: String(id), ...sent })
  } catch {
    // The answer is not an id, such as an empty one, or a listener of the app threw.
  }
}
