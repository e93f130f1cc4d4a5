import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

type Bytes = Buffer<ArrayBuffer>
export type Encoding = 'br' | 'gzip' | 'identity'

/** Compress bytes at a level from 1 (fast) to 9 (small). */
export const compress = {
  br: (bytes, level) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }) as Promise<Bytes>,
  gzip: (bytes, level) => promisify(gzip)(bytes, { level }) as Promise<Bytes>,
  identity: async (bytes) => bytes,
} satisfies Record<Encoding, (bytes: Bytes, level: number) => Promise<Bytes>>

/**
 * Returns the best of the offered encodings that an `Accept-Encoding` header allows; the first of equal ones.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding
 */
export function selectEncoding<Offered extends Encoding>(
  header: string | null,
  offered: readonly Offered[],
): Offered | 'identity' {
  const weights = new Map<string, number>()
  for (const part of header?.toLowerCase().split(',') ?? []) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name, q === undefined ? 1 : Number(q) || 0)
  }
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = offered.toSorted((a, b) => weight(b) - weight(a))
  return best !== undefined && weight(best) > 0 ? best : 'identity'
}
