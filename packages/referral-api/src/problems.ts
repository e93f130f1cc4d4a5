/** What can keep a request from its answer: its HTTP status and title, by a `code` that does not change. */
export const problems = {
  member_not_found: { status: 404, title: 'No such member' },
  community_not_found: { status: 404, title: 'No such community' },
  not_found: { status: 404, title: 'No such page' },
  invalid_address: { status: 400, title: 'Not an address' },
  invalid_cursor: { status: 400, title: 'Not a cursor' },
  invalid_parameter: { status: 400, title: 'A parameter is wrong' },
  invalid_body: { status: 400, title: 'The body is not understood' },
  label_not_found: { status: 404, title: 'No such label' },
  invalid_label: { status: 400, title: 'Not a label' },
  too_many_labels: { status: 409, title: 'Too many labels' },
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
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is of another type' },
  rate_limited: { status: 429, title: 'Too many requests' },
  indexing: { status: 503, title: 'Still indexing' },
  unavailable: { status: 503, title: 'No answer at the moment' },
  internal: { status: 500, title: 'Something went wrong here' },
} as const satisfies Record<string, { status: number; title: string }>

/** Largest number of addresses in one batch. */
export const batchLimit = 500

/** Largest body of a request, in bytes: `batchLimit` addresses fit with room to spare. */
export const bodyLimit = 64 * 1024
