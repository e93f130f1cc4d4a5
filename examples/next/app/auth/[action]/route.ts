import type { SiweHandler } from '@lineage/wallet-kit/siwe-server'
import { auth } from '../../../lib/auth'

type Context = { params: Promise<{ action: string }> }

/** Answers the four requests of `siweAuthentication`. */
async function handle(request: Request, { params }: Context): Promise<Response> {
  const { nonce, verify, session, signOut } = auth()
  const handlers = new Map<string, SiweHandler>(Object.entries({ nonce, verify, session, signout: signOut }))
  const handler = handlers.get((await params).action)
  // The address that the rate limit counts by. The last entry was added by your own proxy; the visitor may have made
  // up the entries before it.
  const visitor = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? 'unknown'
  return handler ? handler(request, { visitor }) : new Response(null, { status: 404 })
}

export { handle as GET, handle as POST }
