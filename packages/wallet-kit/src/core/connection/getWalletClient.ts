import type { Account, Chain, Transport, WalletClient } from 'viem'
import { ChainError, WalletNotAvailableError } from '../lib/errors.ts'
import type { KitContext } from '../state/context.ts'
import { isEstablished } from '../state/transitions.ts'

/** Creates a client that signs with the connected wallet, for its current account and chain. */
export async function getWalletClient({ store, config }: KitContext): Promise<WalletClient<Transport, Chain, Account>> {
  const { createWalletClient, custom } = await import('../provider/publicClient.ts')
  const state = store.getState()
  if (!isEstablished(state)) throw new WalletNotAvailableError('Connect a wallet first.')
  const chain = config.chains.find(({ id }) => id === state.chainId)
  if (!chain) throw new ChainError('The wallet is on a network that the app does not support. Switch networks first.')
  return createWalletClient({ account: state.address, transport: custom(state.provider), chain })
}
