import type { Transport } from 'viem'
import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe'
import type { Session } from '../core/state/authentication.ts'
import type { Nonces } from './nonces.ts'
import { readSignedMessage } from './readBody.ts'
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

const day = 86_400_000

type CheckMessageParameters = {
  origins: readonly URL[]
  chainIds: readonly number[]
  /** Lifetime of a session in milliseconds, counted from the time of the message. */
  lifetime: number
  now: number
}

/**
 * Checks that a message is for one of these origins and chains, and currently valid. Returns the end of its session:
 * after the lifetime, counted from now or from the time of the message, and at most when the message expires.
 *
 * @throws {SiweProblem}
 */
function checkMessage(message: SiweMessage, { origins, chainIds, lifetime, now }: CheckMessageParameters): number {
  const { scheme, domain, uri, chainId, issuedAt, expirationTime, notBefore } = message
  const origin = origins.find(({ host, protocol }) => host === domain && (!scheme || protocol === `${scheme}:`))
  if (!origin)
    throw new SiweProblem('wrong_domain', `The domain must be ${origins.map(({ host }) => host).join(' or ')}.`)
  if (!URL.canParse(uri) || new URL(uri).origin !== origin.origin)
    throw new SiweProblem('wrong_uri', `The URI must be of ${origin.origin}.`)
  if (!chainIds.includes(chainId))
    throw new SiweProblem('wrong_chain', `The chain id must be ${chainIds.join(' or ')}.`)
  const endsAt = Math.min(now, issuedAt?.getTime() ?? now) + lifetime
  const expiresAt = Math.min(endsAt, expirationTime?.getTime() ?? endsAt)
  if (expiresAt <= now) throw new SiweProblem('message_expired', 'The message has expired.')
  // A phone's clock may be wrong by hours.
  if ((notBefore && notBefore.getTime() > now) || (issuedAt && issuedAt.getTime() > now + day))
    throw new SiweProblem('message_not_yet_valid', 'The message is not valid yet.')
  return expiresAt
}

/**
 * Parses a message. Refuses any text that `createSiweMessage` would not write: viem's parser searches for the parts
 * of a message, so it would also find them in a text with additional content.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361#abnf-message-format
 * @throws {SiweProblem} `invalid_message`
 */
export function parseMessage(text: string): SiweMessage {
  // Missing fields fail when the message is written again below.
  const message = parseSiweMessage(text) as SiweMessage
  if (!/^[\n\x20-\x7e]+$/.test(text) || write(message) !== text)
    throw new SiweProblem('invalid_message', 'The message does not follow EIP-4361.')
  return message
}

function write(message: SiweMessage): string | undefined {
  try {
    return createSiweMessage(message)
  } catch {
    return undefined
  }
}
