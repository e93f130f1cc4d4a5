import { type Address, getAddress } from 'viem'
import { Refusal } from './problem.ts'

export type ParsedMessage = {
  scheme?: string
  /** Host and port. */
  domain: string
  address: Address
  uri: string
  chainId: number
  nonce: string
  /** Unix milliseconds, as the others. */
  issuedAt: number
  expirationTime?: number
  notBefore?: number
}

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`

/** Anchored at both ends: each line is what it says, and there is no other. */
const format = new RegExp(
  [
    String.raw`^(?:(?<scheme>[a-zA-Z][a-zA-Z0-9+.-]*)://)?(?<domain>[^\s/?#@]+) wants you to sign in with your Ethereum account:\n`,
    String.raw`(?<address>0x[0-9a-fA-F]{40})\n\n(?:[\x20-\x7e]+\n)?\n`,
    String.raw`URI: (?<uri>[\x21-\x7e]+)\nVersion: 1\nChain ID: (?<chainId>[1-9]\d{0,14})\nNonce: (?<nonce>[a-zA-Z0-9]{8,256})\n`,
    `Issued At: (?<issuedAt>${time})(?:\\nExpiration Time: (?<expirationTime>${time}))?(?:\\nNot Before: (?<notBefore>${time}))?`,
    String.raw`(?:\nRequest ID: [\x21-\x7e]*)?(?:\nResources:(?:\n- [\x21-\x7e]+)*)?$`,
  ].join(''),
)

/**
 * Reads a message as the standard writes it, and refuses any other text.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361#abnf-message-format
 * @throws {Refusal} `invalid_message`
 */
export function parseMessage(text: string): ParsedMessage {
  const { address, chainId, issuedAt, expirationTime, notBefore, scheme, ...rest } = format.exec(text)?.groups ?? {}
  const times = {
    issuedAt: readTime(issuedAt),
    expirationTime: readTime(expirationTime),
    notBefore: readTime(notBefore),
  }
  const { domain, uri, nonce } = rest
  if (!address || getAddress(address) !== address || !domain || !uri || !nonce || times.issuedAt === undefined)
    throw new Refusal('invalid_message', 'The message is not one of EIP-4361.')
  if (Object.values(times).some(Number.isNaN)) throw new Refusal('invalid_message', 'A time of the message is none.')
  return {
    ...(scheme && { scheme }),
    domain,
    address,
    uri,
    chainId: Number(chainId),
    nonce,
    issuedAt: times.issuedAt,
    ...(times.expirationTime !== undefined && { expirationTime: times.expirationTime }),
    ...(times.notBefore !== undefined && { notBefore: times.notBefore }),
  }
}

const readTime = (text: string | undefined) => (text === undefined ? undefined : new Date(text).getTime())
