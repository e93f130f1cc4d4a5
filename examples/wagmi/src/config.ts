import { createWalletKit } from '@lineage/wallet-kit/core'
import { kitConnector } from '@lineage/wallet-kit/wagmi'
import { defaultWallets } from '@lineage/wallet-kit/wallets'
import { http } from 'viem'
import { bsc } from 'viem/chains'
import { createConfig } from 'wagmi'

const { VITE_PROJECT_ID, VITE_RPC_URL } = import.meta.env
const chains = [bsc] as const
const transports = { [bsc.id]: http(VITE_RPC_URL) }

export const kit = createWalletKit({
  appName: 'wagmi',
  projectId: VITE_PROJECT_ID,
  chains,
  transports,
  wallets: defaultWallets(),
})

export const config = createConfig({
  chains,
  transports,
  connectors: [kitConnector(kit)],
  multiInjectedProviderDiscovery: false,
})

declare module 'wagmi' {
  interface Register {
    config: typeof config
  }
}
