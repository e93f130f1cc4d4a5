import { randomBytes } from 'node:crypto'
import type { Settings } from '../settings/settings.ts'

/** Relay and verify page of `@walletconnect/core` 2.21.8. */
const relay = ['wss://relay.walletconnect.org', 'wss://relay.walletconnect.com']
const verify = ['https://verify.walletconnect.org', 'https://verify.walletconnect.com']

/** Hosts that `@coinbase/wallet-sdk` 4.4.0 connects to when its extension is not installed. */
const coinbase = ['https://www.walletlink.org', 'wss://www.walletlink.org', 'https://rpc.wallet.coinbase.com']

/**
 * Headers of every response. The policy is for a response that is not a page: it loads nothing and cannot be framed.
 * `X-Frame-Options` is missing because it takes no list and Safe opens the app in a frame.
 */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Returns the header that keeps browsers on https, for https origins. Browsers ignore it over http. */
export const transportSecurity = (origins: readonly string[]): Record<string, string> =>
  origins.some((origin) => origin.startsWith('https:')) ? { 'strict-transport-security': 'max-age=31536000' } : {}

export const createNonce = (): string => randomBytes(16).toString('base64url')

/** Returns the policy of the API docs: the page's own script and style, and requests to this origin. */
export const docsPolicy = (nonce: string): string =>
  toPolicy({
    'default-src': ["'none'"],
    'script-src': [`'nonce-${nonce}'`],
    'style-src': [`'nonce-${nonce}'`],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  })

/**
 * Returns the Content-Security-Policy of a page of the app.
 *
 * `script-src` has `'self'` instead of `'strict-dynamic'`, because modules imported by a module carry no nonce, and browsers
 * differ in whether `'strict-dynamic'` trusts them.
 *
 * @see https://www.w3.org/TR/CSP3/
 */
export function pagePolicy(
  nonce: string,
  settings: Pick<Settings, 'publicRpcUrls' | 'relayProjectId' | 'relayUrl'>,
): string {
  const hasRelay = settings.relayProjectId !== null
  const relays = settings.relayUrl === null ? relay : [new URL(settings.relayUrl).origin]
  const nodes = settings.publicRpcUrls.map((url) => new URL(url).origin)
  return toPolicy({
    'default-src': ["'none'"],
    'script-src': ["'self'", `'nonce-${nonce}'`],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...new Set(nodes), ...(hasRelay ? [...relays, ...verify] : []), ...coinbase],
    'frame-src': hasRelay ? verify : ["'none'"],
    'frame-ancestors': ["'self'", 'https://app.safe.global'],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'object-src': ["'none'"],
  })
}

const toPolicy = (directives: Record<string, string[]>): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
