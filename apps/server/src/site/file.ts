import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress'

type Bytes = Buffer<ArrayBuffer>
type Encoding = 'br' | 'gzip' | 'identity'
/** A body that is the same for all requests, with its compressed forms. */
export type File = { bytes: Bytes; type: string; etag: string; compressed: Map<Encoding, Promise<Bytes>> }

export function createFile(bytes: Bytes, type: string): File {
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { bytes, type, etag, compressed: new Map() }
}

/**
 * Answers with a file, or with 304 if the browser has it. Hono's `compress` would compress it again for each request,
 * and not with brotli.
 */
export async function sendFile(request: Request, file: File, headersInit: Record<string, string>): Promise<Response> {
  const headers = new Headers({ 'content-type': file.type, etag: file.etag, ...headersInit })
  const isCompressible = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(file.type) && file.bytes.length > 1024
  if (isCompressible) headers.set('vary', 'accept-encoding')
  if (isKnown(request.headers.get('if-none-match'), file.etag)) return new Response(null, { status: 304, headers })
  const encoding = isCompressible ? selectEncoding(request.headers.get('accept-encoding') ?? '') : 'identity'
  const body = await compressOnce(file, encoding)
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  headers.set('content-length', String(body.length))
  return new Response(body, { headers })
}

/** Returns whether an `If-None-Match` header has a weak entity tag. */
export function isKnown(header: string | null | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((part) => [etag, etag.slice('W/'.length), '*'].includes(part.trim()))
}

/** Returns the best encoding that an `Accept-Encoding` header allows; brotli if several are equal. */
function selectEncoding(header: string): Encoding {
  const accepted = parseAccept(header.toLowerCase())
  const weight = (encoding: string) =>
    (accepted.find(({ type }) => type === encoding) ?? accepted.find(({ type }) => type === '*'))?.q ?? 0
  const [best = 'identity'] = (['br', 'gzip'] as const).toSorted((a, b) => weight(b) - weight(a))
  return weight(best) > 0 ? best : 'identity'
}

/** Compresses a file on the first request that accepts the encoding. */
function compressOnce(file: File, encoding: Encoding): Promise<Bytes> {
  const body = file.compressed.get(encoding) ?? compress[encoding](file.bytes)
  file.compressed.set(encoding, body)
  return body
}

const compress: Record<Encoding, (bytes: Bytes) => Promise<Bytes>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }) as Promise<Bytes>,
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }) as Promise<Bytes>,
  identity: async (bytes) => bytes,
}
