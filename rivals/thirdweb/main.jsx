import { createRoot } from 'react-dom/client'
import { createThirdwebClient, defineChain } from 'thirdweb'
import { ConnectButton, ThirdwebProvider } from 'thirdweb/react'
import { createWallet, walletConnect } from 'thirdweb/wallets'

const RPC = import.meta.env.VITE_RPC_URL
const client = createThirdwebClient({ clientId: '00000000000000000000000000000000' })
const chain = defineChain({
  id: 56,
  rpc: RPC,
  name: 'BNB Smart Chain',
  nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
})
const wallets = [
  createWallet('io.metamask'),
  createWallet('me.rainbow'),
  createWallet('com.coinbase.wallet'),
  createWallet('global.safe'),
  walletConnect(),
]
createRoot(document.getElementById('root')).render(
  <ThirdwebProvider>
    <main>
      <h1>Page</h1>
      <ConnectButton
        client={client}
        chain={chain}
        chains={[chain]}
        wallets={wallets}
        locale="en_US"
        showAllWallets={false}
        connectButton={{ label: 'Connect' }}
        connectModal={{ size: 'compact' }}
      />
    </main>
  </ThirdwebProvider>,
)
