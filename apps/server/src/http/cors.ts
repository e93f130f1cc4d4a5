import type { Operation } from '@lineage/referral-api/operations'
import { atLeastHeader, indexHeader } from '@lineage/referral-api/routes'

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
