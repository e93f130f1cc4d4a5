import type { WalletClient } from 'viem'
import { getConnection, type KitContext } from './context.ts'
import { WalletNotAvailableError } from './errors.ts'

/** A client that signs with the connected wallet, for the account and chain of this moment. */
export async function getWalletClient(context: KitContext): Promise<WalletClient> {
  const { createWalletClient, custom } = await import('./publicClient.ts')
  const connection = getConnection(context)
  if (!context.live || !connection) throw new WalletNotAvailableError('Connect a wallet first.')
  const chain = context.config.chains.find(({ id }) => id === connection.chainId)
  return createWalletClient({ account: connection.address, transport: custom(context.live.provider), chain })
}
