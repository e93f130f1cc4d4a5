'use client'
import { WalletKitProvider } from '@lineage/wallet-kit'
import { createWalletKit } from '@lineage/wallet-kit/core'
import { siweAuthentication } from '@lineage/wallet-kit/siwe'
import { defaultWallets } from '@lineage/wallet-kit/wallets'
import type { ReactNode } from 'react'
import { http } from 'viem'
import { bsc } from 'viem/chains'

const kit = createWalletKit({
  appName: 'Next.js',
  projectId: process.env.NEXT_PUBLIC_PROJECT_ID,
  chains: [bsc],
  transports: { [bsc.id]: http(process.env.NEXT_PUBLIC_RPC_URL) },
  wallets: defaultWallets(),
  authentication: { adapter: siweAuthentication({ baseUrl: '/auth' }), required: true },
})

export function Wallet({ children }: { children: ReactNode }) {
  return <WalletKitProvider kit={kit}>{children}</WalletKitProvider>
}
