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
import { verifySiweMessage } from 'viem/siwe'

type VerifySignatureParameters = {
  message: string
  signature: Hex
  address: Address
  transport: Transport
  /** Time limit for the nodes to answer, in milliseconds. */
  timeout: number
}

/** Half the order of secp256k1. Each signature has a second form with a higher `s`, which is refused. https://eips.ethereum.org/EIPS/eip-2 */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * Checks whether `address` signed `message`: by its own key without a node, otherwise by the result of a contract
 * (ERC-1271, or ERC-6492 before it is deployed). Returns `unknown` if no node could be asked.
 */
export async function verifySignature(parameters: VerifySignatureParameters): Promise<'valid' | 'invalid' | 'unknown'> {
  const { message, signature, address, transport, timeout } = parameters
  if (size(signature) === 65 && (await recover(message, signature)) === address)
    return hexToBigInt(slice(signature, 32, 64)) <= highestS ? 'valid' : 'invalid'

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
  const observed = createClient({ transport: custom({ request }, { retryCount: 0 }) })
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
