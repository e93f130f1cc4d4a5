import type { Settings } from '../settings/settings.ts'

/**
 * Headers of a response that a browser may show as a document. The policy is for one that is not a page: it loads nothing and
 * cannot be framed. `X-Frame-Options` is missing because it takes no list and Safe opens the app in a frame.
 */
const documentHeaders = {
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/**
 * Returns the headers of every response of this site, except those that its answer adds. For https origins one of them keeps browsers
 * on https. The app's scripts, of which a page loads ten, have none of a document.
 */
export const siteHeaders = (origins: readonly string[], kind: 'script' | 'other'): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  ...(kind === 'other' && documentHeaders),
  ...(origins.some((origin) => origin.startsWith('https:')) && { 'strict-transport-security': 'max-age=31536000' }),
})

/** Sources of the inline scripts and styles of a page. */
type Sources = { script: string; style: string }

const toPolicy = (directives: Record<string, readonly string[]>): string =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' ').trimEnd())
    .join('; ')

/** Returns the policy of the API docs: the page's own script and style, and requests to this origin. */
export const docsPolicy = ({ script, style }: Sources): string =>
  toPolicy({
    'default-src': ["'none'"],
    'script-src': [script],
    'style-src': [style],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  })

/** Relay and verify page of `@walletconnect/core` 2.21.8. */
const relay = ['wss://relay.walletconnect.org', 'wss://relay.walletconnect.com']
const verify = ['https://verify.walletconnect.org', 'https://verify.walletconnect.com']

/** Hosts that `@coinbase/wallet-sdk` 4.4.0 connects to when its extension is not installed. */
const coinbase = ['https://www.walletlink.org', 'wss://www.walletlink.org', 'https://rpc.wallet.coinbase.com']

/**
 * Creates the function that returns the Content-Security-Policy of a page of the app. Scripts are files of this origin, and
 * those of the page itself, by their hashes. Only a style that a script creates has the nonce of the answer.
 *
 * @see https://www.w3.org/TR/CSP3/
 */
export function createPagePolicy(settings: Pick<Settings, 'publicRpcUrls' | 'relayProjectId' | 'relayUrl'>) {
  const hasRelay = settings.relayProjectId !== null
  const relays = settings.relayUrl === null ? relay : [new URL(settings.relayUrl).origin]
  const nodes = settings.publicRpcUrls.map((url) => new URL(url).origin)
  const others = toPolicy({
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
  return ({ script, style }: Sources, nonce: string): string =>
    `default-src 'none'; script-src 'self' ${script}; style-src 'self' ${style} 'nonce-${nonce}'; ${others}`
}
