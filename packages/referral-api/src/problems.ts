/** HTTP status and title of each problem, by its stable `code`. */
export const problems = {
  member_not_found: { status: 404, title: 'Member not found' },
  community_not_found: { status: 404, title: 'Community not found' },
  not_found: { status: 404, title: 'Path not found' },
  invalid_address: { status: 400, title: 'Invalid address' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  invalid_parameter: { status: 400, title: 'Invalid parameter' },
  moment_in_future: { status: 400, title: 'Moment in the future' },
  moment_before_start: { status: 400, title: 'Moment before the start' },
  /** The bind that names the address is not exact, and may be of before the moment or after it. */
  moment_uncertain: { status: 404, title: 'Moment uncertain' },
  block_not_indexed: { status: 400, title: 'Block not indexed' },
  /** 409: waiting does not help, the copy must go back to `cursor`. */
  events_replaced: { status: 409, title: 'Events replaced' },
  contradictory_filter: { status: 400, title: 'Contradictory filter' },
  too_many_filters: { status: 400, title: 'Too many filters' },
  unsupported_order: { status: 400, title: 'Unsupported order' },
  too_costly: { status: 422, title: 'Too costly' },
  invalid_body: { status: 400, title: 'Invalid request body' },
  invalid_label: { status: 400, title: 'Invalid label' },
  too_many_labels: { status: 409, title: 'Too many labels' },
  invalid_watch: { status: 400, title: 'Invalid watch' },
  too_many_watches: { status: 409, title: 'Too many watches' },
  webhook_not_found: { status: 404, title: 'Webhook not found' },
  invalid_webhook: { status: 400, title: 'Invalid webhook' },
  too_many_webhooks: { status: 409, title: 'Too many webhooks' },
  feed_not_found: { status: 404, title: 'Feed not found' },
  unauthenticated: { status: 401, title: 'Not signed in' },
  invalid_message: { status: 400, title: 'Invalid message' },
  wrong_domain: { status: 400, title: 'Wrong domain' },
  wrong_uri: { status: 400, title: 'Wrong URI' },
  wrong_chain: { status: 400, title: 'Wrong chain' },
  message_expired: { status: 400, title: 'Message expired' },
  message_not_yet_valid: { status: 400, title: 'Message not yet valid' },
  invalid_nonce: { status: 401, title: 'Invalid nonce' },
  nonce_expired: { status: 401, title: 'Nonce expired' },
  nonce_used: { status: 401, title: 'Nonce used' },
  invalid_signature: { status: 401, title: 'Invalid signature' },
  invalid_session: { status: 401, title: 'Invalid session' },
  cross_site: { status: 403, title: 'Cross-site request' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  payload_too_large: { status: 413, title: 'Request body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported content type' },
  rate_limited: { status: 429, title: 'Too many requests' },
  /** 409: waiting does not help, the operator must correct the configuration. Clients repeat a 503. */
  withheld: { status: 409, title: 'Community withheld' },
  indexing: { status: 503, title: 'Still indexing' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
  internal: { status: 500, title: 'Internal error' },
} as const satisfies Record<string, { status: number; title: string }>

/**
 * Returns the `type` of a problem: a part of the page that documents the API, which explains it. It is a path, because the
 * server has many origins.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457#section-3.1.1
 * @example problemType('rate_limited') // '/v1/docs#rate_limited'
 */
export const problemType = (code: keyof typeof problems): string => `/v1/docs#${code}`

/** Maximum number of parameters in a query with filters. */
export const filterLimit = 20

/** With a withheld community the others work. The other reasons hold for all servers, which answer from memory. */
const harmlessReasons = [
  'community_withheld',
  'database_unavailable',
  'disk_full',
  'nodes_unavailable',
  'reader_silent',
]

/**
 * Returns whether a reason of `/status` makes `/ready` return 503. What all servers share does not, because a load balancer
 * would remove all of them: their answers stay right until the newest block is too old (`stale`).
 */
export const isBlockingReason = ({ code }: { code: string }): boolean => !harmlessReasons.includes(code)

/** Maximum number of addresses in one batch. */
export const batchLimit = 500

/** Maximum size of a request body in bytes. A batch of `batchLimit` addresses needs less than half of it. */
export const bodyLimit = 64 * 1024
