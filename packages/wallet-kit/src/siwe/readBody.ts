import { type Hex, isHex } from 'viem'
import { readText } from '../core/lib/readText.ts'
import { SiweProblem } from './siweProblem.ts'

/** The value of a JSON body, or a code that names its problem. */
export type ReadJsonReturnType =
  | { code: 'ok'; json: unknown; detail?: undefined }
  | { code: 'unsupported_media_type' | 'payload_too_large' | 'malformed'; detail: string; json?: undefined }

/**
 * Reads a JSON body of at most `limit` bytes, or returns its problem. The request must have the type
 * `application/json`, which a form of another site cannot send.
 *
 * @param request - The request.
 * @param limit - Largest number of bytes to read.
 * @example
 * const { code, json, detail } = await readJson(request, 10_000)
 * if (code !== 'ok') return new Response(detail, { status: 400 })
 * return Response.json({ received: json })
 */
export async function readJson(request: Request, limit: number): Promise<ReadJsonReturnType> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    return { code: 'unsupported_media_type', detail: 'Send the body as application/json.' }
  const text = await readText(request, limit)
  if (text === undefined)
    return { code: 'payload_too_large', detail: `The body is too large. Send at most ${limit} bytes.` }
  try {
    return { code: 'ok', json: JSON.parse(text) }
  } catch {
    return { code: 'malformed', detail: 'The body is not valid JSON.' }
  }
}

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
