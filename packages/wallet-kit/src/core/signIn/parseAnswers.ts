import type { Hex } from 'viem'
import { WalletKitError } from '../lib/errors.ts'
import { isAddress } from '../lib/isAddress.ts'
import { readProperty } from '../lib/readProperty.ts'
import type { Session } from '../state/authentication.ts'

const maxMessageLength = 10_000

/** Parses a session. @throws {WalletKitError} when it is invalid or has expired */
export function parseSession(answer: unknown): Session {
  const [address, chainId, expiresAt] = ['address', 'chainId', 'expiresAt'].map((key) => readProperty(answer, key))
  if (
    !isAddress(address) ||
    !Number.isSafeInteger(chainId) ||
    typeof expiresAt !== 'number' ||
    !(expiresAt > Date.now())
  )
    throw new WalletKitError('The server returned no valid session.')
  return { address, chainId: chainId as number, expiresAt }
}

/** Parses the message to sign. @throws {WalletKitError} when it is empty or too long */
export function parseMessage(answer: unknown): string {
  if (typeof answer !== 'string' || !answer.trim() || answer.length > maxMessageLength)
    throw new WalletKitError('The authentication adapter created no valid message.')
  return answer
}

/**
 * Parses a nonce.
 *
 * @throws {WalletKitError} when it has fewer than 8 characters or characters that are not alphanumeric
 * @see https://eips.ethereum.org/EIPS/eip-4361#abnf-message-format
 */
export function parseNonce(answer: unknown): string {
  if (typeof answer !== 'string' || !/^[a-z0-9]{8,256}$/i.test(answer))
    throw new WalletKitError('The server returned no valid nonce.')
  return answer
}

/** Parses a signature of any length: contract wallets define their own. @throws {WalletKitError} */
export function parseSignature(answer: unknown): Hex {
  if (typeof answer !== 'string' || !/^0x([0-9a-f]{2})+$/i.test(answer))
    throw new WalletKitError('The wallet returned no valid signature.')
  return answer as Hex
}
