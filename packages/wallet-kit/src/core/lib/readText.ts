/**
 * Reads a body as text. Returns `undefined` as soon as it is longer than `limit` bytes.
 *
 * @param message - A request, or a response.
 * @param limit - Largest number of bytes to read.
 * @example
 * const text = await readText(request, 1_000)
 * if (text === undefined) return new Response('The body is too large.', { status: 413 })
 */
export async function readText(message: Request | Response, limit: number): Promise<string | undefined> {
  if (Number(message.headers.get('content-length') ?? 0) > limit) {
    await message.body?.cancel()
    return undefined
  }
  // Not every browser iterates over streams.
  const reader = message.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { value } = (await reader?.read()) ?? {}
    if (!value) return text + decoder.decode()
    size += value.length
    if (size > limit) {
      await reader?.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}
