import { type Address, zeroAddress } from 'viem'
import { SignInError, WalletKitError } from '../lib/errors.ts'
import { withDeadline } from '../lib/promises.ts'
import type { ConnectOutcome, ConnectSignIn } from '../state/authentication.ts'
import { findInitialChain } from '../state/config.ts'
import { type KitContext, update } from '../state/context.ts'
import { showSignIn } from '../state/transitions.ts'
import type { SignedMessage } from '../wallets/wallet.ts'
import { parseSignature, type SessionServer, untilAborted } from './createSessionServer.ts'

/** Lifetime of a message in milliseconds. Servers keep its nonce for ten minutes, including the time to sign and verify. */
export const preparedLifetime = 9 * 60_000

/**
 * Lifetime of a message for a wallet that signs in while it connects. It is shorter, because the nonce must also
 * outlive the five minutes of a QR code.
 */
const connectLifetime = 4 * 60_000

/** Time limit in milliseconds, so that a slow server does not keep the wallet from connecting. */
const prepareTimeout = 3_000

/**
 * Prepares the message for a wallet that signs in while it connects. The message is kept until the wallet has signed
 * it, so that it is ready at the next tap, or until another nonce is fetched: many servers keep only one nonce per
 * browser. Resolves with `undefined` while the browser has a session, if the adapter's message does not follow
 * EIP-4361, and when the server fails.
 */
export function createConnectSignIn(context: KitContext, server: SessionServer) {
  let kept: { prepared: Promise<ConnectSignIn | undefined>; at: number } | undefined
  const forget = () => {
    kept = undefined
  }
  const create = async (signal: AbortSignal): Promise<ConnectSignIn | undefined> => {
    const chainId = findInitialChain(context.config).id
    if (await untilAborted(server.restore(), signal)) return undefined
    const { message } = await server.prepare({ address: zeroAddress, chainId }, signal)
    const { connectAndSign, toSignInRequest } = await import('./siweMessage.ts')
    const request = toSignInRequest(message)
    return (
      request && {
        ask: (provider) => connectAndSign(provider, request),
        verify: async ({ signed, accounts }, signal) => {
          if (!signed || signed.address !== accounts[0]) return undefined
          forget()
          try {
            return { session: await verify(context, server, { signed, asked: message, signal }) }
          } catch (thrown) {
            if (thrown instanceof SignInError) return { error: thrown }
            throw thrown
          }
        },
        show: (outcome) => show(context, server, outcome),
      }
    )
  }
  const prepare = (): Promise<ConnectSignIn | undefined> => {
    if (kept && Date.now() - kept.at < connectLifetime) return kept.prepared
    const prepared = withDeadline(create, prepareTimeout, context.signal)
      .catch(() => undefined)
      .then((connectSignIn) => {
        if (!connectSignIn && kept?.prepared === prepared) forget()
        return connectSignIn
      })
    kept = { prepared, at: Date.now() }
    return prepared
  }
  return { prepare, forget }
}

type VerifyParameters = { signed: SignedMessage; asked: string; signal: AbortSignal }

/** Verifies the signed message at the server. Refuses any text other than the requested one for this account. */
async function verify(context: KitContext, server: SessionServer, { signed, asked, signal }: VerifyParameters) {
  const { checksumAddress } = await untilAborted(context.connected.load(), signal)
  const { isAskedMessage } = await import('./siweMessage.ts')
  if (!isAskedMessage(signed.message, withAddress(asked, checksumAddress(signed.address))))
    throw new SignInError('mismatch', new WalletKitError('The wallet signed another message than it was asked to.'))
  try {
    const signature = parseSignature(signed.signature)
    const isReplaced = () => context.store.getState().session !== undefined
    return await server.verify({ message: signed.message, signature }, signal, isReplaced)
  } catch (thrown) {
    throw signal.aborted ? thrown : new SignInError('verifying', thrown)
  }
}

/** Notifies the other tabs of the session, or shows the error. Ends a session that does not cover the account. */
function show(context: KitContext, server: SessionServer, { session, error }: ConnectOutcome): void {
  const isSignedIn = session !== undefined && context.store.getState().session === session
  if (isSignedIn) context.tabs?.post('signedIn')
  else if (session) void server.signOut().catch(() => {})
  const refused = new WalletKitError('The server returned a session of another account.')
  const failure = session && !isSignedIn ? new SignInError('generic', refused) : error
  if (failure) update(context, (state) => showSignIn(state, { name: 'preparing', error: failure }))
}

/** Writes the account into the second line, its place according to EIP-4361. */
function withAddress(message: string, address: Address): string {
  const [title, , ...rest] = message.split('\n')
  return [title, address, ...rest].join('\n')
}
