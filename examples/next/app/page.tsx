import { ConnectButton } from '@lineage/wallet-kit'
import { headers } from 'next/headers'
import { auth } from '../lib/auth'
import { Account } from './Account'

/** Rendered on the server, which reads the session from its cookie. */
export default async function Page() {
  const request = new Request('http://localhost', { headers: await headers() })
  const session = await auth().getSession(request)
  return (
    <main>
      <h1>Next.js</h1>
      <ConnectButton />
      <p>{session ? `The server knows ${session.address}.` : 'The server does not know you.'}</p>
      <Account serverAddress={session?.address} />
    </main>
  )
}
