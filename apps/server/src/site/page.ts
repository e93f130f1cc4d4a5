import { createHash, randomBytes } from 'node:crypto'
import { brotliCompressSync, constants, crc32, deflateRawSync } from 'node:zlib'
import type { Context } from 'hono'
import { keepNewest } from '../lib/cache.ts'
import { brotliOptions, type Compressed, selectEncoding } from './file.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Kind = 'script' | 'style'

/**
 * A page that is the same for all visitors, but for its last part: a nonce, with which scripts create styles. What precedes
 * the nonce is compressed once for many answers.
 */
export type Page = {
  /** Sources of its inline scripts and styles for a Content-Security-Policy: their hashes. */
  sources: Record<Kind, string>
  /** Returns the body of an answer, with tags in its head. */
  toBody: (nonce?: string, encoding?: Compressed | 'identity', tags?: string) => Bytes
}

/** Marks what the build and the renderer write: only that is named by the policy. A text of a visitor has no quotes and no `<`. */
const marked = /<(script|style)\b([^>]*) nonce="__NONCE__"([^>]*)>(.*?)<\/\1>/gs
const noncePlace = /(?<=<script id="nonce" type="text\/plain">)__NONCE__(?=<\/script>)/
/** Number of compressed forms that are kept: a page can have other tags in each answer. */
const mostKept = 16
/** Largest number of bytes from the nonce on: streams store it in one block. */
const longestEnd = 65_000

/** Creates a page from HTML with `nonce="__NONCE__"` in its inline scripts and styles, and nothing but bytes of it. */
export function createPage(html: string): Page {
  const hashes: Record<Kind, Set<string>> = { script: new Set(), style: new Set() }
  // Browsers hash the text with line feeds, also of a file that was checked out on Windows.
  const text = html
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(marked, (_, kind: Kind, before: string, after: string, content: string) => {
      hashes[kind].add(`'sha256-${createHash('sha256').update(content).digest('base64')}'`)
      return `<${kind}${before}${after}>${content}</${kind}>`
    })
  const [beforeNonce = '', ...afterNonce] = text.split(noncePlace)
  const headEnd = Math.max(beforeNonce.indexOf('</head>'), 0)
  const head = Buffer.from(beforeNonce.slice(0, headEnd))
  const content = Buffer.from(beforeNonce.slice(headEnd))
  const end = Buffer.from(afterNonce.join(''))
  const hasNonce = afterNonce.length > 0
  if (end.length > longestEnd) throw new Error('The nonce of a page must be its last part.')
  const kept = new Map<string, (end: Buffer) => Bytes>()
  return {
    sources: { script: [...hashes.script].join(' '), style: [...hashes.style].join(' ') },
    toBody(nonce = '', encoding = 'identity', tags = '') {
      const start = () => Buffer.concat([head, Buffer.from(tags), content])
      const rest = hasNonce ? Buffer.concat([Buffer.from(nonce), end]) : end
      if (encoding === 'identity') return Buffer.concat([start(), rest])
      const key = `${encoding} ${tags}`
      const finish = kept.get(key) ?? begin[encoding](start())
      keepNewest(kept, key, finish, mostKept)
      return finish(rest)
    },
  }
}

/** Compress bytes to the beginning of a stream. The functions that they return complete it with stored bytes. */
const begin: Record<Compressed, (start: Buffer) => (end: Buffer) => Bytes> = {
  /** @see https://www.rfc-editor.org/rfc/rfc1952 https://www.rfc-editor.org/rfc/rfc1951#page-11 */
  gzip(start) {
    const compressed = deflateRawSync(start, { level: 3, finishFlush: constants.Z_SYNC_FLUSH })
    // So that the returned function keeps a number, and not the uncompressed page.
    const { length } = start
    const sum = crc32(start)
    return (end) => {
      const stored = Buffer.from([1, 0, 0, 0, 0])
      stored.writeUInt16LE(end.length, 1)
      stored.writeUInt16LE(0xffff - end.length, 3)
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(crc32(end, sum), 0)
      trailer.writeUInt32LE(length + end.length, 4)
      return Buffer.concat([gzipHeader, compressed, stored, end, trailer])
    }
  },
  /** @see https://www.rfc-editor.org/rfc/rfc7932#section-9.2 */
  br(start) {
    const finishFlush = constants.BROTLI_OPERATION_FLUSH
    const compressed = brotliCompressSync(start, { ...brotliOptions(7, start), finishFlush })
    return (end) => {
      const last = Buffer.from([3])
      if (end.length === 0) return Buffer.concat([compressed, last])
      // Not the last block, a length of 16 bits less one, stored.
      const stored = Buffer.alloc(3)
      stored.writeUIntLE((1 << 19) | ((end.length - 1) << 3), 0, 3)
      return Buffer.concat([compressed, stored, end, last])
    }
  },
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

type SendParameters = {
  page: Page
  policy: (sources: Page['sources'], nonce: string) => string
  tags: string
  status: 200 | 404
}

/** Answers with a page, without a validator: a 304 would combine a new nonce with an old page. */
export function sendPage(c: Context, { page, policy, tags, status }: SendParameters): Response {
  const nonce = randomBytes(16).toString('base64')
  const encoding = selectEncoding(c.req.header('accept-encoding'))
  const body = page.toBody(nonce, encoding, tags)
  return c.body(body, status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(page.sources, nonce),
    'cache-control': 'no-cache, no-transform',
    vary: 'Accept-Encoding, Cookie',
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    'content-length': String(body.byteLength),
  })
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML and quoted attributes. */
export const toHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
