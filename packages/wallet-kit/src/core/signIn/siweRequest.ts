import { type Address, type EIP1193Provider, numberToHex } from 'viem'
import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe'
import { readErrorCodes } from '../lib/errors.ts'
import { readList, readProperty } from '../lib/readProperty.ts'
import { parseAccounts } from '../provider/parsePayloads.ts'
import type { ConnectAndSign } from '../provider/requestAccounts.ts'
import { requestProvider } from '../provider/requestProvider.ts'

/** The parameters of the capability `signInWithEthereum`. @see https://eips.ethereum.org/EIPS/eip-7846 */
type SignInRequest = Record<string, string | string[]>

/**
 * Returns the fields of a message, for a wallet that writes the message itself. Returns `undefined` when the text
 * does not follow EIP-4361.
 */
export function toSignInRequest(text: string): SignInRequest | undefined {
  const message = parseSiweMessage(text) as SiweMessage
  if (write(message) !== text) return undefined
  const { address: _, chainId, ...fields } = message
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : value]],
  )
  return { ...Object.fromEntries(entries), chainId: numberToHex(chainId) }
}

function write(message: SiweMessage): string | undefined {
  try {
    return createSiweMessage(message)
  } catch {
    return undefined
  }
}

/**
 * Error codes of wallets that do not support the method, its parameters or the capability. Base Account uses 4100 for
 * an unknown method.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1474
 * @see https://eips.ethereum.org/EIPS/eip-5792
 */
const unsupported = [4100, 4200, 5700, -32601, -32602, -32004]

/** Asks a wallet to connect and to sign in with one approval. @see https://eips.ethereum.org/EIPS/eip-7846 */
export async function connectAndSign(provider: EIP1193Provider, request: SignInRequest): ReturnType<ConnectAndSign> {
  const params = [{ version: '1', capabilities: { signInWithEthereum: request } }]
  try {
    return parseAnswer(await requestProvider(provider, { method: 'wallet_connect', params }))
  } catch (thrown) {
    if (readErrorCodes(thrown).some((code) => unsupported.includes(code))) return undefined
    throw thrown
  }
}

function parseAnswer(answer: unknown): Awaited<ReturnType<ConnectAndSign>> {
  const entries = readList(readProperty(answer, 'accounts'))?.map((entry) => ({
    address: readProperty(entry, 'address'),
    signed: readProperty(readProperty(entry, 'capabilities'), 'signInWithEthereum'),
  }))
  const accounts = parseAccounts(entries?.map(({ address }) => address))
  const address: Address | undefined = accounts?.[0]
  if (!accounts || !address) return undefined
  const signed = entries?.find((entry) => entry.address === address)?.signed
  const [message, signature] = [readProperty(signed, 'message'), readProperty(signed, 'signature')]
  const isSigned = typeof message === 'string' && typeof signature === 'string'
  return { accounts, ...(isSigned && { signed: { address, message, signature } }) }
}
