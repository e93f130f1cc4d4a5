import coinbaseModule from '@web3-onboard/coinbase'
import injectedModule from '@web3-onboard/injected-wallets'
import { init, useConnectWallet, Web3OnboardProvider } from '@web3-onboard/react'
import walletConnectModule from '@web3-onboard/walletconnect'
import { createRoot } from 'react-dom/client'

const RPC = import.meta.env.VITE_RPC_URL
const onboard = init({
  wallets: [
    injectedModule(), // MetaMask (+ any injected wallet)
    coinbaseModule(),
    walletConnectModule({
      projectId: '00000000000000000000000000000000',
      requiredChains: [56],
      dappUrl: 'http://localhost',
    }),
  ],
  chains: [{ id: '0x38', token: 'BNB', label: 'BNB Smart Chain', rpcUrl: RPC }],
  appMetadata: { name: 'Page', description: 'Page', icon: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  connect: { autoConnectLastWallet: true, showSidebar: true },
  accountCenter: { desktop: { enabled: false }, mobile: { enabled: false } },
  theme: 'light',
})
function App() {
  // web3-onboard has no button of its own
  const [{ wallet }, connect] = useConnectWallet()
  const a = wallet?.accounts?.[0]?.address
  return (
    <main>
      <h1>Page</h1>
      <button type="button" onClick={() => connect()}>
        {a ? `${a.slice(0, 6)}…${a.slice(-4)}` : 'Connect'}
      </button>
    </main>
  )
}
createRoot(document.getElementById('root')).render(
  <Web3OnboardProvider web3Onboard={onboard}>
    <App />
  </Web3OnboardProvider>,
)
