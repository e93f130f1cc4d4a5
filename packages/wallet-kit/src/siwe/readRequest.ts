import { type Hex, isHex } from 'viem'
import { readJson } from './readBody.ts'
import { SiweProblem } from './siweProblem.ts'

/** Largest body, in bytes: fits a signature with the deployment code of a contract wallet. */
const bodyLimit = 8_192

/** Reads the JSON body of a request. @throws {SiweProblem} */
export async function readRequest(request: Request): Promise<unknown> {
  const { code, detail, json } = await readJson(request, bodyLimit)
  if (code === 'ok') return json
  throw new SiweProblem(code === 'malformed' ? 'invalid_message' : code, detail)
}

/** Reads `{ message, signature }` from the body of a request. @throws {SiweProblem} */
export async function readSignedMessage(request: Request): Promise<{ message: string; signature: Hex }> {
  const { message, signature } = Object(await readRequest(request)) as Record<string, unknown>
  if (typeof message !== 'string') throw new SiweProblem('invalid_message', 'Send { message, signature }.')
  if (!isHex(signature) || signature.length % 2 === 1 || signature.length < 4)
    throw new SiweProblem('invalid_signature', 'The signature is not hex.')
  return { message, signature }
}
