import { batchLimit, bodyLimit } from '@lineage/referral-api/problems'
import { batchRequest } from '@lineage/referral-api/schemas'
import { ProblemError } from './problems.ts'

/** The addresses of a batch, as they were written. */
export async function readBatch(request: Request): Promise<string[]> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json')
    throw new ProblemError('unsupported_media_type', 'A body is JSON: content-type: application/json.')
  const { data, error } = batchRequest.safeParse(parseJson(await readText(request)))
  if (data) return data.addresses
  throw new ProblemError(
    'invalid_body',
    error.issues.some(({ code }) => code === 'too_big')
      ? `A batch has at most ${batchLimit} addresses: split it.`
      : 'The body is { "addresses": ["0x…", …] }.',
  )
}

/** Reads no further than the limit. */
async function readText(request: Request): Promise<string> {
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
