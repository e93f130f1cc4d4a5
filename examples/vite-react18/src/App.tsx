import { ConnectButton, useWalletConnection, useWalletKit } from '@lineage/wallet-kit'
import { toWalletKitError } from '@lineage/wallet-kit/core'
import { useState } from 'react'

export function App() {
  return (
    <main>
      <h1>Vite and React 18</h1>
      <ConnectButton />
      <SignMessage />
    </main>
  )
}

/** Signs with viem's client of the connected wallet. */
function SignMessage() {
  const kit = useWalletKit()
  const { status } = useWalletConnection()
  const [result, setResult] = useState<string>()

  async function sign() {
    try {
      const wallet = await kit.getWalletClient()
      setResult(await wallet.signMessage({ message: 'Hello' }))
    } catch (thrown) {
      setResult(toWalletKitError(thrown).shortMessage)
    }
  }

  return (
    <>
      <p>
        <button type="button" disabled={status !== 'connected'} onClick={() => void sign()}>
          Sign a message
        </button>
      </p>
      <output>{result}</output>
    </>
  )
}
