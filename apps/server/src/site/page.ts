import { constants, crc32, deflateRawSync } from 'node:zlib'
import { selectEncoding } from './contentEncoding.ts'
import { type Bytes, sendBytes } from './file.ts'

/** Placeholder of each response's nonce, written by the build of the web app. */
const placeholder = '__NONCE__'

/** HTML that carries a new nonce each time. */
export type Page = { render: (nonce: string, encoding: 'gzip' | 'identity') => Bytes }

/**
 * Creates a page from HTML with `__NONCE__` in it. The HTML is compressed once: what stands between the nonces as blocks that do
 * not refer to each other, and each nonce as a stored block among them.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1951#section-3.2.4
 * @see https://www.rfc-editor.org/rfc/rfc1952
 */
export function createPage(html: string): Page {
  const parts = html.split(placeholder).map((part) => Buffer.from(part))
  const blocks = parts.map((part) => deflateRawSync(part, { level: 9, finishFlush: constants.Z_SYNC_FLUSH }))
  return {
    render(nonce, encoding) {
      const bytes = join(parts, Buffer.from(nonce))
      if (encoding === 'identity') return bytes
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(crc32(bytes), 0)
      trailer.writeUInt32LE(bytes.length, 4)
      return Buffer.concat([gzipHeader, join(blocks, toStoredBlock(nonce)), lastBlock, trailer])
    },
  }
}

/** Answers with a page, without a validator: a 304 would combine a new nonce with an old page. */
export function sendPage(request: Request, page: Page, nonce: string, headersInit: Record<string, string>): Response {
  const encoding = selectEncoding(request.headers.get('accept-encoding'), ['gzip'])
  const headers = { 'content-type': 'text/html; charset=utf-8', vary: 'accept-encoding', ...headersInit }
  return sendBytes(page.render(nonce, encoding), encoding, new Headers(headers))
}

/** Deflate, no name, no time, unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty block that ends the stream. */
const lastBlock = Buffer.from([3, 0])

function toStoredBlock(text: string): Bytes {
  const block = Buffer.alloc(5 + text.length)
  block.writeUInt16LE(text.length, 1)
  block.writeUInt16LE(0xffff - text.length, 3)
  block.write(text, 5, 'latin1')
  return block
}

/** Concatenates parts with a separator between them. */
const join = (parts: readonly Buffer[], separator: Buffer): Bytes =>
  Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part])))
