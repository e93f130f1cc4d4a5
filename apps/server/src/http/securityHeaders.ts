import type { MiddlewareHandler } from 'hono'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import type { Settings } from '../settings/settings.ts'

/**
 * Headers of every response. The policy is for a response that is not a page: it loads nothing and cannot be framed.
 * `X-Frame-Options` is missing because it takes no list and Safe opens the app in a frame.
 */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Returns the headers of every response of this site. For https origins one of them keeps browsers on https. */
export const siteHeaders = (origins: readonly string[]): Record<string, string> => ({
  ...securityHeaders,
  ...(origins.some((origin) => origin.startsWith('https:')) && { 'strict-transport-security': 'max-age=31536000' }),
})

type Policy = NonNullable<NonNullable<Parameters<typeof secureHeaders>[0]>['contentSecurityPolicy']>

/** Returns the middleware that sets a policy with a nonce for each response. The other headers are `siteHeaders`. */
const setPolicy = (contentSecurityPolicy: Policy): MiddlewareHandler =>
  secureHeaders({
    contentSecurityPolicy,
    crossOriginResourcePolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    strictTransportSecurity: false,
    xContentTypeOptions: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })

/** Returns the middleware of the API docs: the page's own script and style, and requests to this origin. */
export const setDocsPolicy = (): MiddlewareHandler =>
  setPolicy({
    defaultSrc: ["'none'"],
    scriptSrc: [NONCE],
    styleSrc: [NONCE],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  })

/** Relay and verify page of `@walletconnect/core` 2.21.8. */
const relay = ['wss://relay.walletconnect.org', 'wss://relay.walletconnect.com']
const verify = ['https://verify.walletconnect.org', 'https://verify.walletconnect.com']

/** Hosts that `@coinbase/wallet-sdk` 4.4.0 connects to when its extension is not installed. */
const coinbase = ['https://www.walletlink.org', 'wss://www.walletlink.org', 'https://rpc.wallet.coinbase.com']

/**
 * Returns the middleware that sets the Content-Security-Policy of a page of the app.
 *
 * `script-src` has `'self'` instead of `'strict-dynamic'`, because modules imported by a module carry no nonce, and browsers
 * differ in whether `'strict-dynamic'` trusts them.
 *
 * @see https://www.w3.org/TR/CSP3/
 */
export function setPagePolicy(
  settings: Pick<Settings, 'publicRpcUrls' | 'relayProjectId' | 'relayUrl'>,
): MiddlewareHandler {
  const hasRelay = settings.relayProjectId !== null
  const relays = settings.relayUrl === null ? relay : [new URL(settings.relayUrl).origin]
  const nodes = settings.publicRpcUrls.map((url) => new URL(url).origin)
  return setPolicy({
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", NONCE],
    styleSrc: ["'self'", NONCE],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", ...new Set(nodes), ...(hasRelay ? [...relays, ...verify] : []), ...coinbase],
    frameSrc: hasRelay ? verify : ["'none'"],
    frameAncestors: ["'self'", 'https://app.safe.global'],
    manifestSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    objectSrc: ["'none'"],
  })
}
