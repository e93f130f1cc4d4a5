import type { Cookies } from './cookies.ts'
import { createId, type Signer } from './signer.ts'
import { SiweProblem } from './siweProblem.ts'

/** Lifetime of a nonce, in milliseconds. The clocks of two servers may differ by as much. */
const nonceLifetime = 600_000

export type Nonces = ReturnType<typeof createNonces>

/**
 * Creates and checks nonces. A nonce contains its own proof, so unused nonces need no storage: 12 hex digits of time,
 * 32 random ones, and a signature over both and the id of the browser, which is in a cookie.
 */
export function createNonces({ signer, cookies, now }: { signer: Signer; cookies: Cookies; now: () => number }) {
  const textOf = (start: string, browser: string) => `nonce ${start} ${browser}`
  return {
    /** Creates a nonce for the browser of a request, with the header that sets the browser's cookie. */
    create: async (request: Request) => {
      const browser = cookies.read(request, 'browser').find((id) => /^[0-9a-f]{32}$/.test(id)) ?? createId()
      const start = `${now().toString(16).padStart(12, '0')}${createId()}`
      const nonce = start + (await signer.sign(textOf(start, browser)))
      return { nonce, headers: { 'set-cookie': cookies.write(request, 'browser', browser, nonceLifetime) } }
    },
    /** Checks a nonce and returns its expiry in Unix milliseconds. @throws {SiweProblem} */
    check: async (request: Request, nonce: string): Promise<number> => {
      const browsers = cookies.read(request, 'browser')
      const [start, signature] = [nonce.slice(0, 44), nonce.slice(44)]
      const checks = browsers.map((browser) => signer.isSigned(textOf(start, browser), signature))
      if (!(await Promise.all(checks)).includes(true))
        throw new SiweProblem('invalid_nonce', 'The nonce was not made for this browser. Request a new one.')
      const madeAt = Number.parseInt(start.slice(0, 12), 16)
      // One of the future was made before the clock was set back.
      if (Math.abs(now() - madeAt) >= nonceLifetime)
        throw new SiweProblem('nonce_expired', 'The nonce has expired. Request a new one.')
      return madeAt + nonceLifetime
    },
  }
}
