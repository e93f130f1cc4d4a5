'use client'
import { useConnection, useSignIn, useWalletKit } from '@lineage/wallet-kit'
import { toWalletKitError } from '@lineage/wallet-kit/core'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'

export function Account() {
  const kit = useWalletKit()
  const { status } = useConnection()
  const { session } = useSignIn()
  const { refresh } = useRouter()
  const [result, setResult] = useState<string>()

  // Renders the page anew on the server, which has another session now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address tells when
  useEffect(refresh, [session?.address])

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
