import type { BatchRequest } from '@lineage/referral-api'
import { batchLimit, bodyLimit } from '@lineage/referral-api/problems'
import { batchRequest } from '@lineage/referral-api/schemas'
import { ProblemError } from './problems.ts'

/** A batch, its addresses as they were written. */
export async function readBatch(request: Request): Promise<BatchRequest> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json')
    throw new ProblemError('unsupported_media_type', 'A body is JSON: content-type: application/json.')
  const { data, error } = batchRequest.safeParse(parseJson(await readText(request)))
  if (data) return data
  throw new ProblemError(
    'invalid_body',
    error.issues.some(({ code }) => code === 'too_big')
      ? `A batch has at most ${batchLimit} addresses: split it.`
      : 'The body is { "addresses": ["0x…", …] }, with "tx": true for the transactions as well.',
  )
}

/** Reads no further than the limit. Whoever says how long a body is, is held to it by the HTTP parser. */
async function readText(request: Request): Promise<string> {
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) <= bodyLimit) return request.text()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > bodyLimit) throw new ProblemError('payload_too_large', `A body has at most ${bodyLimit / 1024} kB.`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProblemError('invalid_body', 'The body is not JSON.')
  }
}
