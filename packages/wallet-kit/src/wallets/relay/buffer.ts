type Encoding = 'base64' | 'hex' | 'utf-8'

/**
 * The part of Node's `Buffer` that the client needs for session authentication: to write and read the list of
 * methods, and to check the signature. The build inserts it into the client's module (`insertBuffer.ts`), because pages
 * have no `Buffer` and the kit sets no globals.
 */
export const Buffer = {
  from: (source: string | Uint8Array, encoding: Encoding = 'utf-8') => {
    const bytes = typeof source === 'string' ? decode(source, encoding) : source
    return { toString: (encoding: Encoding = 'utf-8'): string => encode(bytes, encoding) }
  },
}

function decode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  if (encoding === 'base64') return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  throw unknown(encoding)
}

function encode(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'utf-8') return new TextDecoder().decode(bytes)
  if (encoding === 'base64') return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  if (encoding === 'hex') return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  throw unknown(encoding)
}

const unknown = (encoding: string) => new TypeError(`Buffer: no encoding ${encoding} here.`)
