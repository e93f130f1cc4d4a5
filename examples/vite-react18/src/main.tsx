import { WalletKitProvider } from '@lineage/wallet-kit'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { kit } from './kit.ts'

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <WalletKitProvider kit={kit}>
      <App />
    </WalletKitProvider>
  </StrictMode>,
)
