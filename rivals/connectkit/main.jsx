import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ConnectKitButton, ConnectKitProvider, getDefaultConfig } from 'connectkit'
import { createRoot } from 'react-dom/client'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { bsc } from 'wagmi/chains'

// Documented setup. Default connectors: Safe (only inside an iframe), injected MetaMask, Coinbase, WalletConnect.
// enableAaveAccount (default true) is off: not in the wallet list of this comparison. ConnectKit has no Rainbow
// connector of its own (Rainbow is reached through WalletConnect, "Other wallets").
const RPC = import.meta.env.VITE_RPC_URL
const config = createConfig(
  getDefaultConfig({
    appName: 'Page',
    walletConnectProjectId: '00000000000000000000000000000000',
    chains: [bsc],
    transports: { [bsc.id]: http(RPC) },
    enableAaveAccount: false,
  }),
)
const qc = new QueryClient()
createRoot(document.getElementById('root')).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={qc}>
      <ConnectKitProvider options={{ language: 'en-US' }}>
        <main>
          <h1>Page</h1>
          <ConnectKitButton label="Connect" />
        </main>
      </ConnectKitProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)
