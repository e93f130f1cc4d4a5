import { type Address, type EIP1193Provider, numberToHex } from 'viem'
import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe'
import { readErrorCodes } from '../lib/errors.ts'
import { isRecord, parseAccounts, readList, readProperty } from '../lib/untrusted.ts'
import { requestProvider } from '../provider/eip1193.ts'
import type { ConnectAndSign } from '../wallets/wallet.ts'

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

/**
 * Checks that a wallet signed the text that it was asked to sign. A wallet on the relay adds a recap of the requests
 * that the session allows, and the time; nothing else may differ.
 *
 * @see https://eips.ethereum.org/EIPS/eip-5573
 */
export function isAskedMessage(signed: string, asked: string): boolean {
  return signed === asked || signed === addRecap(asked, signed)
}

/** Returns the text with the recap and the time of the signed text. Returns `undefined` if the signed text has none. */
function addRecap(text: string, signed: string): string | undefined {
  const message = parseSiweMessage(text) as SiweMessage
  const { issuedAt, resources } = parseSiweMessage(signed)
  const recap = resources?.at(-1)
  const authorization = recap && describeRecap(recap)
  if (!authorization || !issuedAt) return undefined
  try {
    return createSiweMessage({
      ...message,
      issuedAt,
      statement: message.statement ? `${message.statement} ${authorization}` : authorization,
      resources: [...(message.resources ?? []), recap],
    })
  } catch {
    return undefined
  }
}

/**
 * Returns the sentence of a recap that allows requests to the account and nothing else. Returns `undefined` for other
 * recaps.
 */
function describeRecap(recap: string): string | undefined {
  const methods = parseRecap(recap)?.map((ability) => /^request\/([a-zA-Z]+_[a-zA-Z0-9_]+)$/.exec(ability)?.[1])
  if (!methods?.length || methods.includes(undefined)) return undefined
  const list = methods.toSorted((a = '', b = '') => a.localeCompare(b)).join("', '")
  return `I further authorize the stated URI to perform the following actions on my behalf: (1) 'request': '${list}' for 'eip155'.`
}

/** Returns the abilities of a recap for Ethereum accounts. Returns `undefined` if it has others. */
function parseRecap(recap: string): string[] | undefined {
  const [, encoded] = /^urn:recap:([a-zA-Z0-9+/]+)$/.exec(recap) ?? []
  try {
    const details: unknown = JSON.parse(atob(encoded ?? ''))
    const att = readProperty(details, 'att')
    const abilities = readProperty(att, 'eip155')
    const isPlain = Object.keys(Object(details)).length === 1 && Object.keys(Object(att)).length === 1
    return isPlain && isRecord(abilities) ? Object.keys(abilities) : undefined
  } catch {
    return undefined
  }
}
