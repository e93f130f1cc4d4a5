import { ConnectButton, useWalletConnection, useWalletKit, WalletKitProvider } from '@lineage/wallet-kit'
import { createWalletKit, toWalletKitError } from '@lineage/wallet-kit/core'
import { siweAuthentication } from '@lineage/wallet-kit/siwe'
import { defaultWallets } from '@lineage/wallet-kit/wallets'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { http } from 'viem'
import { bsc } from 'viem/chains'

const baseUrl = process.env.AUTH_URL
const kit = createWalletKit({
  appName: 'webpack',
  chains: [bsc],
  // webpack's EnvironmentPlugin puts the address of your node here; default: a public one.
  transports: { [bsc.id]: http(process.env.RPC_URL || undefined) },
  wallets: defaultWallets(),
  authentication: baseUrl ? { adapter: siweAuthentication({ baseUrl }), required: true } : undefined,
})

/** Signs with viem's client of the connected wallet. */
function SignMessage() {
  const { getWalletClient } = useWalletKit()
  const { status } = useWalletConnection()
  const [result, setResult] = useState<string>()
  const sign = async () => (await getWalletClient()).signMessage({ message: 'Hello' })
  const show = (error: unknown) => toWalletKitError(error).shortMessage
  return (
    <p>
      <button type="button" disabled={status !== 'connected'} onClick={() => void sign().catch(show).then(setResult)}>
        Sign a message
      </button>
      <output>{result}</output>
    </p>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <WalletKitProvider kit={kit}>
    <h1>webpack</h1>
    <ConnectButton />
    <SignMessage />
  </WalletKitProvider>,
)
