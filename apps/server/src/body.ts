/** Reads a body to its end; `'too_large'` as soon as it passes the limit. */
export async function readBody(
  message: Request | Response,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | 'too_large'> {
  if (Number(message.headers.get('content-length') ?? 0) > limit) {
    await message.body?.cancel()
    return 'too_large'
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of message.body ?? []) {
    size += chunk.length
    if (size > limit) return 'too_large'
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
