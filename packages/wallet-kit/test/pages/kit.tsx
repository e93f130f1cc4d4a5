import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
import { createWalletKit } from '@lineage/wallet-kit/core'
import { defaultWallets } from '@lineage/wallet-kit/wallets'
import { createRoot } from 'react-dom/client'
import { bsc } from 'viem/chains'

/** A minimal app with the kit: the default wallets, a project id and a node. */
const kit = createWalletKit({
  appName: 'One button',
  projectId: '00000000000000000000000000000000',
  chains: [bsc],
  transports: { [bsc.id]: import.meta.env.VITE_RPC_URL },
  wallets: defaultWallets({ loadCoinbase: () => import('@coinbase/wallet-sdk') }),
})

createRoot(document.getElementById('root') as HTMLElement).render(
  <WalletKitProvider kit={kit}>
    <main>
      <h1>One button</h1>
      <ConnectButton />
    </main>
  </WalletKitProvider>,
)
