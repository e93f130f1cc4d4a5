import {
  type Address,
  createClient,
  custom,
  type Hex,
  hexToBigInt,
  isHex,
  recoverMessageAddress,
  size,
  slice,
  type Transport,
  withTimeout,
} from 'viem'
import { createSiweMessage, parseSiweMessage, type SiweMessage, verifySiweMessage } from 'viem/siwe'
import type { Session } from '../core/state/authentication.ts'
import type { Nonces } from './nonces.ts'
import { readSignedMessage } from './readBody.ts'
import { SiweProblem } from './siweProblem.ts'
import type { SiweStore } from './store.ts'

type VerifyRequestParameters = {
  origins: readonly URL[]
  transports: Readonly<Record<number, readonly Transport[]>>
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

  const nodes = transports[chainId] ?? []
  const outcome = await verifySignature({ message, signature, address, transports: nodes, timeout })
  if (outcome === 'unknown')
    throw new SiweProblem(
      'unavailable',
      'The nodes could not check the signature of the contract wallet. Try again later.',
    )
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

/** Largest number of places where viem's parser looks for the fields. It reads the rest of the line at each: 1,600 took 50 ms. */
const mostStarts = 10

/**
 * Parses a message. Refuses any text that `createSiweMessage` would not write: viem's parser searches for the parts
 * of a message, so it would also find them in a text with additional content.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361#abnf-message-format
 * @throws {SiweProblem} `invalid_message`
 */
export function parseMessage(text: string): SiweMessage {
  const isPlain = /^[\n\x20-\x7e]+$/.test(text) && text.split('URI: ').length <= mostStarts + 1
  // Missing fields fail when the message is written again below.
  const message = isPlain && (parseSiweMessage(text) as SiweMessage)
  if (!message || write(message) !== text)
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

type VerifySignatureParameters = {
  message: string
  signature: Hex
  address: Address
  /** The nodes that are asked, all at once. */
  transports: readonly Transport[]
  /** Time limit for the nodes to answer, in milliseconds. */
  timeout: number
}

type Outcome = 'valid' | 'invalid' | 'unknown'

/** Half the order of secp256k1. Each signature has a second form with a higher `s`, which is refused. https://eips.ethereum.org/EIPS/eip-2 */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * Checks whether `address` signed `message`: by its own key without a node, otherwise by the result of a contract
 * (ERC-1271, or ERC-6492 before it is deployed). Of several nodes two have to confirm it and none may deny it, because a
 * node that lies could sign in anybody. Returns `unknown` if the nodes contradict each other, or too few answer.
 */
export async function verifySignature(parameters: VerifySignatureParameters): Promise<Outcome> {
  const { message, signature, address, transports } = parameters
  if (size(signature) === 65 && (await recover(message, signature)) === address)
    return hexToBigInt(slice(signature, 32, 64)) <= highestS ? 'valid' : 'invalid'

  const outcomes = await Promise.all(transports.map((transport) => askContract(transport, parameters)))
  const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length
  const valid = count('valid')
  if (count('invalid') > 0) return valid === 0 ? 'invalid' : 'unknown'
  return valid >= (transports.length === 1 ? 1 : 2) ? 'valid' : 'unknown'
}

/** Asks one node for the result of the contract. */
async function askContract(
  transport: Transport,
  { message, signature, address, timeout }: VerifySignatureParameters,
): Promise<Outcome> {
  // viem returns `false` even when a node does not answer, so record failed requests here.
  let nodes: 'answering' | 'failing' = 'answering'
  const client = createClient({ transport })
  const request = async (parameters: { method: string; params?: unknown }) => {
    try {
      return await client.request(parameters as never)
    } catch (thrown) {
      if (!isAnswer(thrown)) nodes = 'failing'
      throw thrown
    }
  }
  // Without CCIP-Read (EIP-3668), by which a contract names hosts that the server would ask, again and again.
  const observed = createClient({ transport: custom({ request }, { retryCount: 0 }), ccipRead: false })
  try {
    const isValid = await withTimeout(() => verifySiweMessage(observed, { message, signature, address }), { timeout })
    if (isValid) return 'valid'
    return nodes === 'answering' ? 'invalid' : 'unknown'
  } catch (thrown) {
    return nodes === 'answering' && isAnswer(thrown) ? 'invalid' : 'unknown'
  }
}

async function recover(message: string, signature: Hex): Promise<Address | undefined> {
  try {
    return await recoverMessageAddress({ message, signature })
  } catch {
    return undefined
  }
}

/** Returns whether an error is the result of a call (reverted, out of gas, not possible), not a failure of the node. */
function isAnswer(thrown: unknown): boolean {
  for (let error = thrown; typeof error === 'object' && error !== null; error = (error as { cause?: unknown }).cause) {
    const { code, data, details } = error as { code?: unknown; data?: unknown; details?: unknown }
    if (code === 3 || code === -32000 || code === -32003 || code === -32015) return true
    // Some nodes give the code of their own failures to a failed call too.
    if (code === -32603 && (isHex(data) || /\bevm\b|revert|opcode|out of ?gas/i.test(String(details)))) return true
  }
  return false
}
