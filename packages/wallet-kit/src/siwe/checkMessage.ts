import type { SiweMessage } from 'viem/siwe'
import { SiweProblem } from './siweProblem.ts'

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
export function checkMessage(
  message: SiweMessage,
  { origins, chainIds, lifetime, now }: CheckMessageParameters,
): number {
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
