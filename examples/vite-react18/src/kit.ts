import { createWalletKit } from '@lineage/wallet-kit/core'
import { siweAuthentication } from '@lineage/wallet-kit/siwe'
import { defaultWallets } from '@lineage/wallet-kit/wallets'
import { http } from 'viem'
import { bsc } from 'viem/chains'

const { VITE_AUTH_URL: baseUrl, VITE_PROJECT_ID, VITE_RPC_URL } = import.meta.env

export const kit = createWalletKit({
  appName: 'Vite and React 18',
  projectId: VITE_PROJECT_ID,
  chains: [bsc],
  transports: { [bsc.id]: http(VITE_RPC_URL) },
  wallets: defaultWallets(),
  authentication: baseUrl ? { adapter: siweAuthentication({ baseUrl }), required: true } : undefined,
})
