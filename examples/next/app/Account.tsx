'use client'
import { useSignIn, useWalletConnection, useWalletKit } from '@lineage/wallet-kit'
import { toWalletKitError } from '@lineage/wallet-kit/core'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'

/** @param serverAddress The account for which the server rendered the page. */
export function Account({ serverAddress }: { serverAddress: string | undefined }) {
  const kit = useWalletKit()
  const { status } = useWalletConnection()
  const { session } = useSignIn()
  const { refresh } = useRouter()
  const [result, setResult] = useState<string>()

  // Reloads the page from the server when the session changes.
  const before = useRef(session)
  useEffect(() => {
    const isSignedOut = before.current !== undefined && !session
    before.current = session
    if (isSignedOut || (session && session.address !== serverAddress)) refresh()
  }, [session, serverAddress, refresh])

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
