import { createWalletKit, type WalletKit } from '@lineage/wallet-kit/core'
import { metaMaskWallet } from '@lineage/wallet-kit/wallets'
import { custom } from 'viem'
import { bsc } from 'viem/chains'
import type { FakeApi } from './fakeApi.ts'

/** Creates a kit that reads from the fake API's node, without any network access. */
export function createStoryKit({ handle, state }: FakeApi): WalletKit {
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const body = JSON.stringify({ id: 1, method, params })
    const response = await handle(new Request('http://story.invalid/v1/rpc', { method: 'POST', body }))
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error) throw new Error(error.message)
    return result
  }
  return createWalletKit({
    appName: 'Story',
    chains: [bsc],
    transports: { [bsc.id]: custom({ request }, { retryCount: 0 }) },
    wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
    ...(state.names.bnb && { names: { bnb: true } }),
    id: 'story',
  })
}
