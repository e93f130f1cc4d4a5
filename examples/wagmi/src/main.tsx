import { WalletKitProvider } from '@lineage/wallet-kit'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { WagmiProvider } from 'wagmi'
import { App } from './App.tsx'
import { config, kit } from './config.ts'

const queryClient = new QueryClient()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <WagmiProvider config={config}>
      <QueryClientProvider client={queryClient}>
        <WalletKitProvider kit={kit}>
          <App />
        </WalletKitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  </StrictMode>,
)
