import { ConnectButton } from '@lineage/wallet-kit'
import { useConnection, useSignMessage } from 'wagmi'

export function App() {
  return (
    <main>
      <h1>wagmi</h1>
      <ConnectButton />
      <Account />
    </main>
  )
}

/** Uses wagmi's hooks as before; only the connection comes from the kit. */
function Account() {
  const { address, status } = useConnection()
  const { mutate, data, error, isPending } = useSignMessage()
  return (
    <>
      <p>
        wagmi: {status} {address}
      </p>
      <p>
        <button
          type="button"
          disabled={status !== 'connected' || isPending}
          onClick={() => mutate({ message: 'Hello' })}
        >
          Sign a message
        </button>
      </p>
      <output>{error?.message ?? data}</output>
    </>
  )
}
