import type { SiweHandler } from '@lineage/wallet-kit/siwe-server'
import { auth } from '../../../lib/auth'

type Context = { params: Promise<{ action: string }> }

/** Answers the four requests of `siweAuthentication`. */
async function handle(request: Request, { params }: Context): Promise<Response> {
  const { nonce, verify, session, signOut } = auth()
  const handlers = new Map<string, SiweHandler>(Object.entries({ nonce, verify, session, signout: signOut }))
  const handler = handlers.get((await params).action)
  // The proxy in front of Next.js sets this header. It is what the rate limit counts by.
  const visitor = request.headers.get('x-forwarded-for') ?? 'unknown'
  return handler ? handler(request, { visitor }) : new Response(null, { status: 404 })
}

export { handle as GET, handle as POST }
