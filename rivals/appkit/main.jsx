import { bsc as bscBase } from '@reown/appkit/networks'
import { createAppKit } from '@reown/appkit/react'
import { WagmiAdapter } from '@reown/appkit-adapter-wagmi'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { http, WagmiProvider } from 'wagmi'

const RPC = import.meta.env.VITE_RPC_URL
const projectId = '00000000000000000000000000000000'
const bsc = { ...bscBase, rpcUrls: { default: { http: [RPC] } } }
const wagmiAdapter = new WagmiAdapter({ projectId, networks: [bsc], transports: { [bsc.id]: http(RPC) }, ssr: false })
createAppKit({
  adapters: [wagmiAdapter],
  networks: [bsc],
  defaultNetwork: bsc,
  projectId,
  metadata: { name: 'Page', description: 'Page', url: 'http://localhost', icons: [] },
  features: { email: false, socials: false, analytics: false, onramp: false, swaps: false },
  // Safe is automatic inside Safe; MetaMask / Rainbow / Coinbase ids from the WalletConnect explorer
  featuredWalletIds: [
    'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96',
    '1ae92b26df02f0abca6304df07debccd18262fdf5fe82daa81593582dac9a369',
    'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa',
  ],
})
const qc = new QueryClient()
createRoot(document.getElementById('root')).render(
  <WagmiProvider config={wagmiAdapter.wagmiConfig}>
    <QueryClientProvider client={qc}>
      <main>
        <h1>Page</h1>
        <appkit-button label="Connect" />
      </main>
    </QueryClientProvider>
  </WagmiProvider>,
)
