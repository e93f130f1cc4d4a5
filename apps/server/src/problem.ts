import type { Problem, ProblemCode } from '@lineage/referral-api'

const answers = {
  member_not_found: [404, 'Member not found'],
  community_not_found: [404, 'Community not found'],
  label_not_found: [404, 'Label not found'],
  not_found: [404, 'Not found'],
  invalid_address: [400, 'Invalid address'],
  invalid_cursor: [400, 'Invalid cursor'],
  invalid_parameter: [400, 'Invalid parameter'],
  invalid_label: [400, 'Invalid label'],
  too_many_labels: [409, 'Too many labels'],
  unauthenticated: [401, 'Not signed in'],
  unsupported_media_type: [415, 'Unsupported media type'],
  method_not_allowed: [405, 'Method not allowed'],
  payload_too_large: [413, 'Payload too large'],
  rate_limited: [429, 'Too many requests'],
  indexing: [503, 'Still indexing'],
  unavailable: [503, 'Unavailable'],
  internal: [500, 'Internal error'],
} as const satisfies Partial<Record<ProblemCode, readonly [number, string]>>

/**
 * An error answer as RFC 9457 writes it. Its status follows from the code.
 *
 * @example problem('rate_limited', { detail: 'Wait two seconds.', retryAfter: 2 })
 */
export function problem(
  code: keyof typeof answers,
  { detail, progress, retryAfter, allow }: ProblemParameters,
): Response {
  const [status, title] = answers[code]
  const body: Problem = { type: 'about:blank', title, status, detail, code, ...(progress && { progress }) }
  return Response.json(body, {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(allow !== undefined && { allow }),
    },
  })
}

export type ProblemParameters = {
  detail: string
  progress?: Problem['progress']
  /** Seconds. */
  retryAfter?: number
  /** With `method_not_allowed`: the methods that are. */
  allow?: string
}
