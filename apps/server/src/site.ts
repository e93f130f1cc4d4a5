import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress'
import { getMimeType } from 'hono/utils/mime'
import { problem } from './problem.ts'

type Encoding = 'br' | 'gzip' | 'identity'
type File = {
  bytes: Buffer<ArrayBuffer>
  type: string
  etag: string
  encoded: Map<Encoding, Promise<Buffer<ArrayBuffer>>>
}

export type Site = { respond: (request: Request, page: { nonce: string }) => Promise<Response> }

/** The built app is not where it should be. */
export class SiteMissingError extends Error {
  override readonly name = 'SiteMissingError'
}

/** What the build leaves where each answer's nonce goes. */
const placeholder = '__NONCE__'

/**
 * Reads the built app into memory, so that a build running beside it cannot change half of what is served, and no path
 * a visitor writes reaches the file system.
 *
 * @throws {SiteMissingError} without an index.html
 */
export async function readSite(dir: string): Promise<Site> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = new Map<string, File>()
  for (const entry of names) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files.set(`/${relative(dir, path).split(sep).join('/')}`, toFile(await readFile(path), path))
  }
  const pages = new Map<string, string>()
  for (const [name, file] of files) {
    if (!name.endsWith('.html')) continue
    files.delete(name)
    pages.set(name.replace(/(index)?\.html$/, ''), file.bytes.toString('utf8'))
  }
  const index = pages.get('/')
  if (index === undefined)
    throw new SiteMissingError(`The web app is not built: ${join(dir, 'index.html')} is missing. Run \`pnpm build\`.`)

  return {
    async respond(request, { nonce }) {
      const path = decoded(new URL(request.url).pathname)
      const file = path === undefined ? undefined : files.get(path)
      if (path !== undefined && file) return sendFile(request, path, file)
      if (path === undefined || (looksLikeFile(path) && path !== '/index.html'))
        return problem('not_found', { detail: 'There is no such file.' })
      return sendPage(request, (pages.get(path) ?? index).replaceAll(placeholder, nonce))
    },
  }
}

/** Pages have no dot in their last segment. A missing file must not be answered with a page, or caches keep it as one. */
const looksLikeFile = (path: string) => path.startsWith('/assets/') || extname(path) !== ''

async function sendFile(request: Request, path: string, file: File): Promise<Response> {
  const headers = new Headers({
    'content-type': file.type,
    etag: file.etag,
    // The names in /assets/ carry a hash of the content.
    'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  // Safe reads the manifest and its icons from its own origin.
  if (path === '/manifest.json') headers.set('access-control-allow-origin', '*')
  const compressible = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(file.type) && file.bytes.length > 1024
  if (compressible) headers.set('vary', 'accept-encoding')
  const known = request.headers
    .get('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.includes(file.etag.replace(/^W\//, ''))) return new Response(null, { status: 304, headers })
  const encoding = compressible ? preferredEncoding(request.headers.get('accept-encoding')) : 'identity'
  return send(await encode(file, encoding), encoding, headers)
}

/** No validator: a 304 would join the new policy's nonce with the old page's. */
async function sendPage(request: Request, html: string): Promise<Response> {
  const encoding = preferredEncoding(request.headers.get('accept-encoding'))
  const body = await encoders[encoding](Buffer.from(html), 4)
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', vary: 'accept-encoding' }
  return send(body, encoding, new Headers(headers))
}

function send(body: Buffer<ArrayBuffer>, encoding: Encoding, headers: Headers): Response {
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  headers.set('content-length', String(body.length))
  return new Response(body, { headers })
}

function toFile(bytes: Buffer<ArrayBuffer>, path: string): File {
  const type = getMimeType(path) ?? 'application/octet-stream'
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { bytes, type, etag, encoded: new Map() }
}

/** Compresses once, at the first request that asks for it. */
function encode(file: File, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  const body = file.encoded.get(encoding) ?? encoders[encoding](file.bytes, 9)
  file.encoded.set(encoding, body)
  return body
}

const encoders = {
  br: (bytes, level) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }) as Promise<Buffer<ArrayBuffer>>,
  gzip: (bytes, level) => promisify(gzip)(bytes, { level }) as Promise<Buffer<ArrayBuffer>>,
  identity: async (bytes) => bytes,
} satisfies Record<Encoding, (bytes: Buffer<ArrayBuffer>, level: number) => Promise<Buffer<ArrayBuffer>>>

/**
 * The best of our encodings that an `Accept-Encoding` allows.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding
 */
export function preferredEncoding(header: string | null): Encoding {
  const weights = new Map<string, number>()
  for (const part of header?.toLowerCase().split(',') ?? []) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name, q === undefined ? 1 : Number(q) || 0)
  }
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const best = weight('br') >= weight('gzip') ? 'br' : 'gzip'
  return weight(best) > 0 ? best : 'identity'
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
