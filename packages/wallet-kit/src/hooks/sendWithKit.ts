import type { Account, Chain, Transport, WalletClient } from 'viem'
import { WalletKitError } from '../core/lib/errors.ts'
import { isHash } from '../core/lib/isHash.ts'
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
  const id = await send(await kit.getWalletClient())
  const hash = isHash(id) ? id : undefined
  if (description) follow(kit, id, description)
  return { hash, id: String(id) }
}

/** Follows the transaction that the wallet returned. Throws nothing, because the person has signed. */
function follow(kit: WalletKit, id: unknown, description: string): void {
  try {
    if (isHash(id)) kit.addTransaction({ hash: id, description })
    else kit.addCalls({ id: String(id), description })
  } catch {
    // The wallet was disconnected meanwhile: there is no account to show the transaction for.
  }
}
