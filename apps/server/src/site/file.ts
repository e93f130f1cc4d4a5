import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { Context } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress'
import { keepNewest } from '../lib/cache.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Encoding = 'br' | 'gzip' | 'identity'
/** A body that is the same for all requests, with its compressed forms. */
export type File = { bytes: Bytes; type: string; etag: string; compressed: Map<Encoding, Promise<Bytes>> }

export function createFile(bytes: Bytes, type: string): File {
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { bytes, type, etag, compressed: new Map() }
}

/** Answers with a file, or with 304. Hono's `compress` would compress it for each request, and not with brotli. */
export async function sendFile(request: Request, file: File, headersInit: Record<string, string>): Promise<Response> {
  const headers = new Headers({ 'content-type': file.type, etag: file.etag, ...headersInit })
  const isCompressible = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(file.type) && file.bytes.length > 1024
  if (isCompressible) headers.set('vary', 'accept-encoding')
  if (isKnown(request.headers.get('if-none-match'), file.etag)) return new Response(null, { status: 304, headers })
  const encoding = isCompressible ? selectEncoding(request.headers.get('accept-encoding') ?? undefined) : 'identity'
  const body = await compressOnce(file, encoding)
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  headers.set('content-length', String(body.length))
  return new Response(body, { headers })
}

export type Compressed = Exclude<Encoding, 'identity'>
export type Compressor = (body: Bytes, encoding: Compressed, url: string) => Bytes

/** Compresses at levels that take about the same time, half of gzip's default. Brotli's has 10 % fewer bytes. */
const compressFast: Compressor = (body, encoding) =>
  encoding === 'gzip' ? gzipSync(body, { level: 3 }) : brotliCompressSync(body, brotliOptions(4, body))

/** Returns the options of brotli for a body at a quality from 0 to 11. */
export const brotliOptions = (quality: number, { length }: { length: number }) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: length },
})

/**
 * Answers with a body that is made for the request, and compresses it at once. Hono's `compress` makes streams instead, which
 * cost several times as much of the processor, and memory of their own for each answer.
 */
export function sendBytes(c: Context, body: Bytes, headers: Record<string, string>, compress: Compressor): Response {
  const encoding = body.byteLength > 1024 ? selectEncoding(c.req.header('accept-encoding')) : 'identity'
  const sent = encoding === 'identity' ? body : compress(body, encoding, c.req.url)
  return c.body(sent, 200, {
    ...headers,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    'content-length': String(sent.byteLength),
  })
}

/** Creates a function that compresses bodies, and keeps the last ones: until a block changes them, many visitors ask for the same. */
export function createCompressor(size = 32): Compressor {
  const known = new Map<string, { body: Bytes; compressed: Bytes }>()
  return (body, encoding, url) => {
    const key = `${encoding} ${url}`
    const last = known.get(key)
    if (last && Buffer.compare(last.body, body) === 0) return last.compressed
    const compressed = compressFast(body, encoding, url)
    keepNewest(known, key, { body, compressed }, size)
    return compressed
  }
}

/** Returns whether an `If-None-Match` header has a weak entity tag. */
export function isKnown(header: string | null | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((part) => [etag, etag.slice('W/'.length), '*'].includes(part.trim()))
}

/** Returns the best encoding that an `Accept-Encoding` header allows; brotli if several are equal. */
export function selectEncoding(header = ''): Encoding {
  const weight = readWeights(header)
  const [best = 'identity'] = (['br', 'gzip'] as const).toSorted((a, b) => weight(b) - weight(a))
  return weight(best) > 0 ? best : 'identity'
}

/** Returns the function that finds the weight of an encoding in an `Accept-Encoding` header. */
function readWeights(header: string): (encoding: string) => number {
  const accepted = parseAccept(header.toLowerCase())
  return (encoding) =>
    (accepted.find(({ type }) => type === encoding) ?? accepted.find(({ type }) => type === '*'))?.q ?? 0
}

/** Compresses a file on the first request that accepts the encoding. */
function compressOnce(file: File, encoding: Encoding): Promise<Bytes> {
  const body = file.compressed.get(encoding) ?? encoders[encoding](file.bytes)
  if (!file.compressed.has(encoding) && encoding === 'br') void compressBest(file, body)
  file.compressed.set(encoding, body)
  return body
}

const compressBrotli = (bytes: Bytes, quality: number) =>
  promisify(brotliCompress)(bytes, brotliOptions(quality, bytes)) as Promise<Bytes>

/** Replaces a file's first compressed form by one with 7 % fewer bytes, for which the first request would wait a second. */
async function compressBest(file: File, first: Promise<Bytes>): Promise<void> {
  await first
  file.compressed.set('br', Promise.resolve(await compressBrotli(file.bytes, 11)))
}

const encoders: Record<Encoding, (bytes: Bytes) => Promise<Bytes>> = {
  br: (bytes) => compressBrotli(bytes, 9),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }) as Promise<Bytes>,
  identity: async (bytes) => bytes,
}
