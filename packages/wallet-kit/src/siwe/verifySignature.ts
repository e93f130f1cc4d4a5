import {
  type Address,
  createClient,
  custom,
  type Hex,
  hexToBigInt,
  recoverMessageAddress,
  size,
  slice,
  type Transport,
} from 'viem'
import { verifySiweMessage } from 'viem/siwe'
import { within } from '../core/within.ts'

export type VerifySignatureParameters = {
  message: string
  signature: Hex
  address: Address
  transport: Transport
  /** Milliseconds in which nodes have to answer. */
  patience: number
}

/** Half the order of secp256k1: of the two forms of a signature only the lower one counts. https://eips.ethereum.org/EIPS/eip-2 */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * Whether `address` signed `message`: by its own key without asking anybody, else by what a contract says (ERC-1271, or
 * ERC-6492 for one that is not deployed yet). `unknown` when no node could be asked.
 */
export async function verifySignature(parameters: VerifySignatureParameters): Promise<'valid' | 'invalid' | 'unknown'> {
  const { message, signature, address, transport, patience } = parameters
  if (size(signature) === 65 && (await recover(message, signature)) === address)
    return hexToBigInt(slice(signature, 32, 64)) <= highestS ? 'valid' : 'invalid'

  // viem reads an answer that never came as a no.
  let answers: 'all' | 'missing' = 'all'
  const nodes = createClient({ transport })
  const request = async (parameters: { method: string; params?: unknown }) => {
    try {
      return await nodes.request(parameters as never)
    } catch (thrown) {
      if (!isSaidByNode(thrown)) answers = 'missing'
      throw thrown
    }
  }
  const client = createClient({ transport: custom({ request }, { retryCount: 0 }) })
  try {
    const asked = verifySiweMessage(client, { message, signature, address })
    const isValid = await within(asked, patience, () => new Error('The nodes did not answer in time.'))
    if (isValid) return 'valid'
    return answers === 'all' ? 'invalid' : 'unknown'
  } catch (thrown) {
    return answers === 'all' && isSaidByNode(thrown) ? 'invalid' : 'unknown'
  }
}

async function recover(message: string, signature: Hex): Promise<Address | undefined> {
  try {
    return await recoverMessageAddress({ message, signature })
  } catch {
    return undefined
  }
}

/** Codes with which nodes report what became of a call: reverted, out of gas, not possible. */
function isSaidByNode(thrown: unknown): boolean {
  for (let error = thrown; typeof error === 'object' && error !== null; error = (error as { cause?: unknown }).cause) {
    const { code } = error as { code?: unknown }
    if (code === 3 || code === -32000 || code === -32003 || code === -32015 || code === -32603) return true
  }
  return false
}
