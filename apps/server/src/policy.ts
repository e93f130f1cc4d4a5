import { randomBytes } from 'node:crypto'
import type { Settings } from './settings.ts'

/** The relay and the page that verifies where a request comes from, as `@walletconnect/core` 2.21.8 names them. */
const relay = ['wss://relay.walletconnect.org', 'wss://relay.walletconnect.com']
const verify = ['https://verify.walletconnect.org', 'https://verify.walletconnect.com']

/** Where `@coinbase/wallet-sdk` 4.4.0 reaches the wallet from, once a person without its extension has picked it. */
const coinbase = ['https://www.walletlink.org', 'wss://www.walletlink.org', 'https://rpc.wallet.coinbase.com']

/** Headers every answer carries, pages too. No `X-Frame-Options`: it knows no list, and Safe opens the app in a frame. */
const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
}

/** Those of an answer that is not a page: it may load and be framed by nothing. */
export const closedHeaders = {
  ...commonHeaders,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

export const createNonce = (): string => randomBytes(16).toString('base64url')

/** The policy of the page to try the API: its own script and style, and questions to this origin. */
export const docsPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * The Content-Security-Policy of a page.
 *
 * Scripts: `'self'` beside the nonce and without `'strict-dynamic'`, because modules imported by a module, statically or
 * on demand, carry no nonce, and browsers differ in how far `'strict-dynamic'` trusts them.
 *
 * @see https://www.w3.org/TR/CSP3/
 */
export function pagePolicy(
  nonce: string,
  settings: Pick<Settings, 'publicRpcUrls' | 'relayProjectId' | 'relayUrl'>,
): string {
  const relayed = settings.relayProjectId !== null
  const relays = settings.relayUrl === null ? relay : [new URL(settings.relayUrl).origin]
  const nodes = settings.publicRpcUrls.map((url) => new URL(url).origin)
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", `'nonce-${nonce}'`],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...new Set(nodes), ...(relayed ? [...relays, ...verify] : []), ...coinbase],
    'frame-src': relayed ? verify : ["'none'"],
    'frame-ancestors': ["'self'", 'https://app.safe.global'],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'object-src': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}
