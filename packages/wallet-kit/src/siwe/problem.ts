const answers = {
  invalid_message: [400, 'Invalid message'],
  wrong_domain: [400, 'Wrong domain'],
  wrong_uri: [400, 'Wrong URI'],
  wrong_chain: [400, 'Wrong chain'],
  message_expired: [400, 'Message expired'],
  message_not_yet_valid: [400, 'Message not yet valid'],
  invalid_nonce: [401, 'Invalid nonce'],
  nonce_expired: [401, 'Nonce expired'],
  nonce_used: [401, 'Nonce used'],
  invalid_signature: [401, 'Invalid signature'],
  invalid_session: [401, 'Invalid session'],
  cross_site: [403, 'Cross-site request'],
  method_not_allowed: [405, 'Method not allowed'],
  payload_too_large: [413, 'Payload too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  rate_limited: [429, 'Too many requests'],
  unavailable: [503, 'Unavailable'],
} as const

/** Why something was refused. Stable. */
export type SiweProblemCode = keyof typeof answers

/** Ends the handling of a request with an answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: SiweProblemCode
  readonly headers: Record<string, string>

  constructor(code: SiweProblemCode, detail: string, headers: Record<string, string> = {}) {
    super(detail)
    this.code = code
    this.headers = headers
  }

  /** As RFC 9457 writes it. Nothing of the request is repeated in it. */
  toResponse(): Response {
    const [status, title] = answers[this.code]
    const body = { type: 'about:blank', title, status, detail: this.message, code: this.code }
    const headers = { 'cache-control': 'no-store', 'content-type': 'application/problem+json', ...this.headers }
    return Response.json(body, { status, headers })
  }
}
