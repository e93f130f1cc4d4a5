import type { Address, Hex } from 'viem'
import type { Session } from './authentication.ts'
import { WalletKitError } from './errors.ts'
import { read } from './read.ts'

const longestText = 10_000

/** A session as a server answers it. @throws {WalletKitError} for anything else */
export function parseSession(answer: unknown): Session {
  const [address, chainId, expiresAt] = ['address', 'chainId', 'expiresAt'].map((key) => read(answer, key))
  if (
    typeof address !== 'string' ||
    !/^0x[0-9a-f]{40}$/i.test(address) ||
    !Number.isSafeInteger(chainId) ||
    typeof expiresAt !== 'number' ||
    !(expiresAt > Date.now())
  )
    throw new WalletKitError('The server answered with no session.')
  return { address: address as Address, chainId: chainId as number, expiresAt }
}

/** @throws {WalletKitError} */
export function parseText(answer: unknown): string {
  if (typeof answer !== 'string' || !answer.trim() || answer.length > longestText)
    throw new WalletKitError('There is no message to sign.')
  return answer
}

/** @see https://eips.ethereum.org/EIPS/eip-4361#abnf-message-format */
export function parseNonce(answer: unknown): string {
  if (typeof answer !== 'string' || !/^[a-z0-9]{8,256}$/i.test(answer))
    throw new WalletKitError('The server answered with no nonce.')
  return answer
}

/** Bytes of any length: a contract wallet signs as it likes. */
export function parseSignature(answer: unknown): Hex {
  if (typeof answer !== 'string' || !/^0x([0-9a-f]{2})+$/i.test(answer))
    throw new WalletKitError('The wallet answered with no signature.')
  return answer as Hex
}
