import type { Config } from '@lineage/referral-api'
import { createWalletKit, type WalletKit } from '@lineage/wallet-kit/core'
import { siweAuthentication } from '@lineage/wallet-kit/siwe'
import {
  binance,
  bitget,
  defaultWallets,
  imToken,
  okx,
  rabby,
  safePal,
  tokenPocket,
  trust,
} from '@lineage/wallet-kit/wallets'
import { http, type Transport } from 'viem'
import { bsc } from 'viem/chains'

/** What people on BNB Smart Chain use besides the popular ones. */
const more = { groupName: 'More', wallets: [binance, okx, trust, tokenPocket, safePal, bitget, imToken, rabby] }

/** The one place the wallet kit is configured. Nodes of this origin are given relative, as `/v1/rpc`. */
export async function createKit(config: Config, origin = window.location.origin): Promise<WalletKit> {
  // An explorer knows nothing of a chain on this machine.
  const chain = config.demo ? { ...bsc, blockExplorers: undefined } : bsc
  const { service, bnb } = config.names
  return createWalletKit({
    appName: 'Lineage',
    ...(config.relayProjectId !== null && { projectId: config.relayProjectId }),
    ...(config.relayUrl !== null && { relayUrl: config.relayUrl }),
    chains: [chain],
    transports: { [bsc.id]: await createTransport(config.rpcUrls.map((url) => new URL(url, origin).href)) },
    wallets: [...defaultWallets(), more],
    ...((service || bnb) && { names: { ...(service && { baseUrl: origin }), bnb } }),
    // Every lookup works without it.
    authentication: { adapter: siweAuthentication({ baseUrl: '/v1/auth', statement: 'Sign in to Lineage.' }) },
    ...(window.__nonce__ !== undefined && { nonce: window.__nonce__ }),
  })
}

/** A server of ours stands before several nodes by itself; what changes over between them here comes only when needed. */
async function createTransport(urls: readonly string[]): Promise<Transport> {
  const nodes = urls.map((url) => http(url, { timeout: 10_000 }))
  const [only] = nodes
  if (only && nodes.length === 1) return only
  const { fallback } = await import('./fallback.ts')
  return fallback(nodes)
}
