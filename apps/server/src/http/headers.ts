import type { Operation } from '@lineage/referral-api/operations'
import { atLeastHeader, indexHeader } from '@lineage/referral-api/routes'
import type { Settings } from '../settings/settings.ts'
import { apiPath } from './handler.ts'

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

/** Operations that pages of other sites may call, besides the lookups: all without a session. */
const publicIds: readonly Operation['id'][] = ['status', 'live', 'openapi', 'health', 'ready']

/** Returns whether pages of other sites may call an operation. Accounts and sign-in are for pages of this site. */
export const isPublic = (operation: Operation | undefined): boolean =>
  operation !== undefined && (operation.tag === 'lookups' || publicIds.includes(operation.id))

const exposed = [
  'content-disposition',
  'deprecation',
  'etag',
  indexHeader,
  'link',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'server-timing',
  'sunset',
  'x-request-id',
]

/**
 * Headers of an answer that pages of other sites may read. With `*`, browsers send no cookies, so no session is used.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export const publicHeaders = new Map([
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', exposed.join(', ')],
  ['cross-origin-resource-policy', 'cross-origin'],
])

/** Headers of the answer to a preflight, by which a browser asks whether a page may send a request. */
export const preflightHeaders = (method: string): Record<string, string> => ({
  'access-control-allow-methods': method,
  'access-control-allow-headers': `content-type, ${atLeastHeader}, x-request-id`,
  'access-control-max-age': '7200',
})

/**
 * Returns the headers of the answers of an operation that will end: since when it is deprecated, from when it may be gone,
 * and where its documentation says what to use instead. None for other operations.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9745
 * @see https://www.rfc-editor.org/rfc/rfc8594
 * @example deprecationHeaders({ id: 'map', deprecated: { since: '2026-12-01', sunset: '2027-06-01', instead: '…' } })
 */
export function deprecationHeaders({ id, deprecated }: Pick<Operation, 'id' | 'deprecated'>): [string, string][] {
  if (!deprecated) return []
  const secondsOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1_000
  return [
    ['deprecation', `@${secondsOf(deprecated.since)}`],
    ['sunset', new Date(secondsOf(deprecated.sunset) * 1_000).toUTCString()],
    ['link', `<${apiPath('docs')}#${id}>; rel="deprecation"`],
  ]
}
