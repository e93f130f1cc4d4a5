import {
  ConnectButton,
  useAccountDialog,
  useConnectDialog,
  useWalletConnection,
  useWalletKit,
} from '@lineage/wallet-kit'
import { toWalletKitError } from '@lineage/wallet-kit/core'
import { useState } from 'react'

export const button =
  'rounded-full bg-emerald-700 px-5 py-2 font-medium text-white hover:bg-emerald-800 disabled:opacity-50'

export function App() {
  return (
    <main className="mx-auto flex max-w-md flex-col items-start gap-6 p-8">
      <h1 className="text-3xl font-semibold">Vite and Tailwind</h1>
      <ConnectButton className="rounded-full" />
      <OwnButton />
      <SignMessage />
    </main>
  )
}

/** A button of the app's own, by the hooks. */
function OwnButton() {
  const { status, address } = useWalletConnection()
  const connect = useConnectDialog()
  const account = useAccountDialog()
  return status === 'connected' ? (
    <button type="button" className={button} onClick={account.open}>
      Account {address?.slice(-4)}
    </button>
  ) : (
    <button type="button" className={button} onClick={() => connect.open()}>
      Choose a wallet
    </button>
  )
}

function SignMessage() {
  const { getWalletClient } = useWalletKit()
  const { status } = useWalletConnection()
  const [result, setResult] = useState<string>()
  const sign = async () => (await getWalletClient()).signMessage({ message: 'Hello' })
  const show = (error: unknown) => toWalletKitError(error).shortMessage
  return (
    <>
      <button
        type="button"
        className={button}
        disabled={status !== 'connected'}
        onClick={() => void sign().catch(show).then(setResult)}
      >
        Sign a message
      </button>
      <output className="w-full font-mono text-sm break-all">{result}</output>
    </>
  )
}
