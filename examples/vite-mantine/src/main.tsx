import '@mantine/core/styles.css'
import { WalletKitProvider } from '@lineage/wallet-kit'
import { createWalletKit } from '@lineage/wallet-kit/core'
import { defaultWallets } from '@lineage/wallet-kit/wallets'
import { MantineProvider } from '@mantine/core'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { http } from 'viem'
import { bsc, mainnet } from 'viem/chains'
import { App } from './App.tsx'

// Not part of what the page starts with.
const Dialogs = lazy(() => import('./Dialogs.tsx'))

const { VITE_PROJECT_ID, VITE_RPC_URL } = import.meta.env

const kit = createWalletKit({
  appName: 'Vite and Mantine',
  projectId: VITE_PROJECT_ID,
  chains: [bsc, mainnet],
  transports: { [bsc.id]: http(VITE_RPC_URL), [mainnet.id]: http() },
  wallets: defaultWallets(),
})

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider defaultColorScheme="auto">
      <WalletKitProvider kit={kit} dialogs="none">
        <App />
        <Suspense>
          <Dialogs />
        </Suspense>
      </WalletKitProvider>
    </MantineProvider>
  </StrictMode>,
)
