import { constants, crc32, deflateRawSync } from 'node:zlib'
import { selectEncoding } from './contentEncoding.ts'
import { type Bytes, sendBytes } from './file.ts'

/** Placeholder of the nonce, written by the build of the web app. */
const placeholder = '__NONCE__'

/** HTML that carries a new nonce each time, and the tags of the request at the end of its head. */
export type Page = { render: (nonce: string, encoding: 'gzip' | 'identity', tags?: string) => Bytes }

/**
 * Creates a page from HTML with `__NONCE__` in it. The HTML is compressed once: text between nonces and tags as
 * independent blocks, and each nonce and the tags as stored blocks between them.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1951#section-3.2.4
 * @see https://www.rfc-editor.org/rfc/rfc1952
 */
export function createPage(html: string): Page {
  const end = html.indexOf('</head>')
  const [head, body] = [split(html.slice(0, Math.max(0, end))), split(html.slice(Math.max(0, end)))]
  return {
    render(nonce, encoding, tags = '') {
      const written: Part[] = end < 0 ? body : [...head, toPart(tags), ...body]
      const parts = written.map((part) => (part === 'nonce' ? toPart(nonce) : part))
      const bytes = Buffer.concat(parts.map((part) => part.bytes))
      if (encoding === 'identity') return bytes
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(crc32(bytes), 0)
      trailer.writeUInt32LE(bytes.length, 4)
      return Buffer.concat([
        gzipHeader,
        ...parts.map(({ block, bytes }) => block ?? toStoredBlock(bytes)),
        lastBlock,
        trailer,
      ])
    },
  }
}

/** A part of a page, with its compressed block if it is the same for each response. */
type Part = 'nonce' | { bytes: Bytes; block?: Bytes }

const toPart = (text: string): Exclude<Part, 'nonce'> => ({ bytes: Buffer.from(text) })

/** Splits HTML at the nonces and compresses the texts between them. */
function split(html: string): Part[] {
  const texts = html.split(placeholder).map((text): Part => {
    const bytes = Buffer.from(text)
    return { bytes, block: deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH }) }
  })
  return texts.flatMap((part, index): Part[] => (index === 0 ? [part] : ['nonce', part]))
}

/** Answers with a page, without a validator: a 304 would combine a new nonce with an old page. */
export function sendPage(
  request: Request,
  page: Page,
  { nonce, tags }: { nonce: string; tags?: string },
  headersInit: Record<string, string>,
): Response {
  const encoding = selectEncoding(request.headers.get('accept-encoding'), ['gzip'])
  const headers = { 'content-type': 'text/html; charset=utf-8', vary: 'accept-encoding', ...headersInit }
  return sendBytes(page.render(nonce, encoding, tags), encoding, new Headers(headers))
}

/** Header: deflate, no name, no time, unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** Empty block that ends the stream. */
const lastBlock = Buffer.from([3, 0])

function toStoredBlock(bytes: Bytes): Bytes {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(0xffff - bytes.length, 3)
  return Buffer.concat([head, bytes])
}
