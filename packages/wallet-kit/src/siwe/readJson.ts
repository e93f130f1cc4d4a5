import { Refusal } from './problem.ts'

/** The largest body taken: a signature that carries the making of a contract wallet fits. */
const bodyLimit = 8_192

/** The JSON of a body. @throws {Refusal} */
export async function readJson(request: Request): Promise<unknown> {
  // Forms of other sites cannot send this type unasked.
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new Refusal('unsupported_media_type', 'Send application/json.')
  const text = await readText(request)
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('invalid_message', 'The body is not JSON.')
  }
}

async function readText({ body, headers }: Request): Promise<string> {
  const tooLarge = () => new Refusal('payload_too_large', `A body may hold ${bodyLimit} bytes.`)
  if (Number(headers.get('content-length') ?? 0) > bodyLimit) throw tooLarge()
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let text = ''
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > bodyLimit) {
      await reader.cancel()
      throw tooLarge()
    }
    text += decoder.decode(value, { stream: true })
  }
  return text + decoder.decode()
}
