import type { Config } from '@lineage/referral-api'
import { createWalletKit, type WalletKit } from '@lineage/wallet-kit/core'
import { siweAuthentication } from '@lineage/wallet-kit/siwe'
import {
  binanceWallet,
  bitgetWallet,
  defaultWallets,
  imTokenWallet,
  okxWallet,
  rabbyWallet,
  safepalWallet,
  tokenPocketWallet,
  trustWallet,
} from '@lineage/wallet-kit/wallets'
import type { Transport } from 'viem'
import { bsc } from 'viem/chains'

/** Wallets common on BNB Smart Chain. */
const more = {
  groupName: 'More',
  wallets: [
    binanceWallet,
    okxWallet,
    trustWallet,
    tokenPocketWallet,
    safepalWallet,
    bitgetWallet,
    imTokenWallet,
    rabbyWallet,
  ],
}

/** Creates the wallet kit, in this place only. Relative RPC URLs, such as `/v1/rpc`, resolve against `origin`. */
export async function createKit(config: Config, origin = window.location.origin): Promise<WalletKit> {
  // Block explorers do not have the local demo chain.
  const chain = config.demo ? { ...bsc, blockExplorers: undefined } : bsc
  const { service, bnb } = config.names
  return createWalletKit({
    appName: 'Lineage',
    ...(config.relayProjectId !== null && { projectId: config.relayProjectId }),
    ...(config.relayUrl !== null && { relayUrl: config.relayUrl }),
    chains: [chain],
    transports: { [bsc.id]: await createTransport(config.rpcUrls.map((url) => new URL(url, origin).href)) },
    wallets: [...defaultWallets({ loadCoinbase: () => import('@coinbase/wallet-sdk') }), more],
    ...((service || bnb) && { names: { ...(service && { baseUrl: origin }), bnb } }),
    // Optional: every lookup works signed out.
    authentication: { adapter: siweAuthentication({ baseUrl: '/v1/auth', statement: 'Sign in to Lineage.' }) },
  })
}

/** Returns the transport: the URL itself, or viem's `fallback`, which is loaded only for several URLs. */
async function createTransport(urls: readonly string[]): Promise<Transport | string> {
  const [only] = urls
  if (only !== undefined && urls.length === 1) return only
  const { fallback, http } = await import('./fallbackTransport.ts')
  return fallback(urls.map((url) => http(url)))
}
