/** Signs what a browser keeps for the server, and knows its own signatures again, also those of older secrets. */
export type Signer = {
  sign: (text: string) => Promise<string>
  isSigned: (text: string, signature: string) => Promise<boolean>
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

/** The first secret signs; the others are still believed. */
export function createSigner(secrets: readonly [string, ...string[]]): Signer {
  const importKey = (secret: string) =>
    crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign', 'verify'])
  const newest = importKey(secrets[0])
  const keys = [newest, ...secrets.slice(1).map(importKey)]
  return {
    sign: async (text) => {
      return toHex(new Uint8Array(await crypto.subtle.sign(algorithm, await newest, encoder.encode(text))))
    },
    isSigned: async (text, signature) => {
      const bytes = fromHex(signature)
      // Compared in constant time by the platform.
      for (const key of keys)
        if (bytes && (await crypto.subtle.verify(algorithm, await key, bytes, encoder.encode(text)))) return true
      return false
    },
  }
}

export const createId = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)))

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^([0-9a-f]{2})+$/.test(text)) return undefined
  return new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
}
