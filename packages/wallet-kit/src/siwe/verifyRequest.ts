import type { Transport } from 'viem'
import type { Session } from '../core/state/authentication.ts'
import { checkMessage } from './checkMessage.ts'
import type { Nonces } from './nonces.ts'
import { parseMessage } from './parseMessage.ts'
import { readSignedMessage } from './readRequest.ts'
import { SiweProblem } from './siweProblem.ts'
import type { SiweStore } from './store.ts'
import { verifySignature } from './verifySignature.ts'

type VerifyRequestParameters = {
  origins: readonly URL[]
  transports: Readonly<Record<number, Transport>>
  store: Pick<SiweStore, 'useNonce'>
  nonces: Nonces
  /** Time limit for a contract wallet to check a signature, in milliseconds. */
  timeout: number
  /** Lifetime of a session, in milliseconds. */
  lifetime: number
  now: () => number
}

/** Returns the session of the account that signed the message of a request. @throws {SiweProblem} */
export async function verifyRequest(
  request: Request,
  { origins, transports, store, nonces, timeout, lifetime, now }: VerifyRequestParameters,
): Promise<Session> {
  const { message, signature } = await readSignedMessage(request)
  const parsed = parseMessage(message)
  const { address, chainId, nonce } = parsed
  const chainIds = Object.keys(transports).map(Number)
  const expiresAt = checkMessage(parsed, { origins, chainIds, lifetime, now: now() })

  const nonceExpiresAt = await nonces.check(request, nonce)
  // Used before the signature is checked, so that one nonce allows one attempt.
  if (!(await store.useNonce(nonce, nonceExpiresAt)))
    throw new SiweProblem('nonce_used', 'The nonce was already used. Request a new one.')

  const transport = transports[chainId] as Transport
  const outcome = await verifySignature({ message, signature, address, transport, timeout })
  if (outcome === 'unknown')
    throw new SiweProblem('unavailable', 'No node could check the signature of the contract wallet. Try again later.')
  if (outcome === 'invalid') throw new SiweProblem('invalid_signature', 'The signature is not by this account.')
  return { address, chainId, expiresAt }
}
