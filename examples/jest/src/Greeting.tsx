import { ConnectButton, useWalletConnection } from '@lineage/wallet-kit'

export function Greeting() {
  const { status, address } = useWalletConnection()
  return (
    <main>
      <ConnectButton />
      <p role="status">{status === 'connected' ? `Hello, ${address}` : 'Connect your wallet.'}</p>
    </main>
  )
}
