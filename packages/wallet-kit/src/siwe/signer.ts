import { bytesToHex, hexToBytes } from 'viem'

/** Signs text with the newest secret, and recognizes its signatures with any of them. */
export type Signer = {
  sign: (text: string) => Promise<string>
  isSigned: (text: string, signature: string) => Promise<boolean>
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

/**
 * Creates a signer. The first secret signs; signatures of the others are still accepted.
 *
 * @throws {TypeError} for a secret of less than 32 bytes
 */
export function createSigner(secrets: readonly [string, ...string[]]): Signer {
  const importKey = (secret: string) => {
    const bytes = encoder.encode(secret)
    if (bytes.length < 32) throw new TypeError('A session secret needs at least 32 bytes.')
    return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
  }
  const newest = importKey(secrets[0])
  const keys = [newest, ...secrets.slice(1).map(importKey)]
  return {
    sign: async (text) =>
      toHex(new Uint8Array(await crypto.subtle.sign(algorithm, await newest, encoder.encode(text)))),
    isSigned: async (text, signature) => {
      if (!/^([0-9a-f]{2})+$/.test(signature)) return false
      const bytes = new Uint8Array(hexToBytes(`0x${signature}`))
      // Compared in constant time by the platform.
      for (const key of keys)
        if (await crypto.subtle.verify(algorithm, await key, bytes, encoder.encode(text))) return true
      return false
    },
  }
}

/** Returns 32 random hex digits. */
export const createId = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)))

const toHex = (bytes: Uint8Array): string => bytesToHex(bytes).slice(2)
