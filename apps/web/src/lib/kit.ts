import type { Config } from '@lineage/referral-api'
import { createWalletKit, type WalletKit } from '@lineage/wallet-kit/core'
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
import { fallback, http } from 'viem'
import { bsc } from 'viem/chains'

/** What people on BNB Smart Chain use besides the popular ones. */
const more = { groupName: 'More', wallets: [binance, okx, trust, tokenPocket, safePal, bitget, imToken, rabby] }

/** The one place the wallet kit is configured. Nodes of this origin are given relative, as `/v1/rpc`. */
export function createKit(config: Config, origin = window.location.origin): WalletKit {
  // An explorer knows nothing of a chain on this machine.
  const chain = config.demo ? { ...bsc, blockExplorers: undefined } : bsc
  return createWalletKit({
    appName: 'Lineage',
    ...(config.relayProjectId !== null && { projectId: config.relayProjectId }),
    ...(config.relayUrl !== null && { relayUrl: config.relayUrl }),
    chains: [chain],
    transports: {
      [bsc.id]: fallback(config.rpcUrls.map((url) => http(new URL(url, origin).href, { timeout: 10_000 }))),
    },
    wallets: [...defaultWallets(), more],
    ...(window.__nonce__ !== undefined && { nonce: window.__nonce__ }),
  })
}
