const problems = {
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

/** The `code` of an error response. Codes are stable. */
export type SiweProblemCode = keyof typeof problems

/** Thrown inside a handler to end the request with an error response. */
export class SiweProblem extends Error {
  override readonly name = 'SiweProblem'
  readonly code: SiweProblemCode
  readonly headers: Record<string, string>

  constructor(code: SiweProblemCode, detail: string, headers: Record<string, string> = {}) {
    super(detail)
    this.code = code
    this.headers = headers
  }

  /**
   * Returns the error as `application/problem+json`. It contains no part of the request.
   *
   * @see https://www.rfc-editor.org/rfc/rfc9457
   */
  toResponse(): Response {
    const [status, title] = problems[this.code]
    const body = { type: 'about:blank', title, status, detail: this.message, code: this.code }
    const headers = { 'cache-control': 'no-store', 'content-type': 'application/problem+json', ...this.headers }
    return Response.json(body, { status, headers })
  }
}
