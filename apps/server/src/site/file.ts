import { createHash } from 'node:crypto'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress'
import { compress, type Encoding, selectEncoding } from './contentEncoding.ts'

export type Bytes = Buffer<ArrayBuffer>
/** A body that is the same for all requests, with its compressed forms. */
export type File = { bytes: Bytes; type: string; etag: string; compressed: Map<Encoding, Promise<Bytes>> }

export function createFile(bytes: Bytes, type: string): File {
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { bytes, type, etag, compressed: new Map() }
}

/** Answers with a file, or with 304 if the browser has it. */
export async function sendFile(request: Request, file: File, headersInit: Record<string, string>): Promise<Response> {
  const headers = new Headers({ 'content-type': file.type, etag: file.etag, ...headersInit })
  const isCompressible = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(file.type) && file.bytes.length > 1024
  if (isCompressible) headers.set('vary', 'accept-encoding')
  if (isKnown(request, file.etag)) return new Response(null, { status: 304, headers })
  const accepted = request.headers.get('accept-encoding')
  const encoding = isCompressible ? selectEncoding(accepted, ['br', 'gzip']) : 'identity'
  return sendBytes(await compressOnce(file, encoding), encoding, headers)
}

export function sendBytes(body: Bytes, encoding: Encoding, headers: Headers): Response {
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  headers.set('content-length', String(body.length))
  return new Response(body, { headers })
}

/** Returns whether the browser has the version with this tag. */
function isKnown(request: Request, etag: string): boolean {
  const tags = request.headers.get('if-none-match')?.split(',') ?? []
  return tags.some((tag) => tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))
}

/** Compresses a file on the first request that accepts the encoding. */
function compressOnce(file: File, encoding: Encoding): Promise<Bytes> {
  const body = file.compressed.get(encoding) ?? compress[encoding](file.bytes, 9)
  file.compressed.set(encoding, body)
  return body
}
