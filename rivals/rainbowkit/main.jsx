import { createRoot } from 'react-dom/client'
import '@rainbow-me/rainbowkit/styles.css'
import { ConnectButton, connectorsForWallets, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import {
  coinbaseWallet,
  metaMaskWallet,
  rainbowWallet,
  safeWallet,
  walletConnectWallet,
} from '@rainbow-me/rainbowkit/wallets'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { bsc } from 'wagmi/chains'

const RPC = import.meta.env.VITE_RPC_URL
const projectId = '00000000000000000000000000000000'
const connectors = connectorsForWallets(
  [{ groupName: 'Popular', wallets: [safeWallet, rainbowWallet, coinbaseWallet, metaMaskWallet, walletConnectWallet] }],
  { appName: 'Page', projectId },
)
const config = createConfig({ chains: [bsc], transports: { [bsc.id]: http(RPC) }, connectors, ssr: false })
const qc = new QueryClient()
createRoot(document.getElementById('root')).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={qc}>
      <RainbowKitProvider locale="en-US">
        <main>
          <h1>Page</h1>
          <ConnectButton label="Connect" />
        </main>
      </RainbowKitProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)
