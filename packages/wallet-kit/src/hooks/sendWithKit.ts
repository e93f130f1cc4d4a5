import type { Account, Chain, Transport, WalletClient } from 'viem'
import { isHash } from '../core/transactions/storedTransactions.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import type { SentTransaction, TransactionOptions } from './useKitMutation.ts'

/** Sends a transaction with the kit's wallet, on the wanted chain, and follows it if it has a description. */
export async function sendWithKit(
  kit: WalletKit,
  { chainId, description }: TransactionOptions,
  send: (wallet: WalletClient<Transport, Chain, Account>) => Promise<unknown>,
): Promise<SentTransaction> {
  if (chainId !== undefined && kit.getState().chainId !== chainId) await kit.switchChain({ chainId })
  const id = await send(await kit.getWalletClient())
  const hash = isHash(id) ? id : undefined
  // The person has signed: nothing that the wallet answers is an error.
  if (description && hash) kit.addTransaction({ hash, description })
  else if (description && typeof id === 'string' && id) kit.addCalls({ id, description })
  return { hash, id: String(id) }
}
