import { Refusal } from './problem.ts'
import { createId, type Signer } from './signer.ts'

/** How long a nonce can be used, in milliseconds. */
export const nonceLifetime = 600_000

/**
 * Nonces that say themselves when and for which browser they were made, so that nothing is kept of those that are never
 * used: 12 hex digits of time, 32 of chance, and a signature over both and the browser.
 */
export function createNonces(signer: Signer, now: () => number) {
  const textOf = (start: string, browser: string) => `nonce ${start} ${browser}`
  return {
    create: async (browser: string): Promise<string> => {
      const start = `${now().toString(16).padStart(12, '0')}${createId()}`
      return start + (await signer.sign(textOf(start, browser)))
    },
    /** Until when it could be used. @throws {Refusal} */
    check: async (nonce: string, browser: string | undefined): Promise<number> => {
      const [start, signature] = [nonce.slice(0, 44), nonce.slice(44)]
      if (!browser || !(await signer.isSigned(textOf(start, browser), signature)))
        throw new Refusal('invalid_nonce', 'The nonce was not made for this browser. Ask for another.')
      const expiresAt = Number.parseInt(start.slice(0, 12), 16) + nonceLifetime
      if (expiresAt <= now()) throw new Refusal('nonce_expired', 'The nonce is too old. Ask for another.')
      return expiresAt
    },
  }
}
