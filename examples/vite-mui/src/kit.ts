import { createWalletKit } from '@lineage/wallet-kit/core'
import { defaultWallets } from '@lineage/wallet-kit/wallets'
import { http } from 'viem'
import { bsc } from 'viem/chains'

const { VITE_PROJECT_ID, VITE_RPC_URL } = import.meta.env

export const kit = createWalletKit({
  appName: 'Vite and MUI',
  projectId: VITE_PROJECT_ID,
  chains: [bsc],
  transports: { [bsc.id]: http(VITE_RPC_URL) },
  wallets: defaultWallets(),
})
