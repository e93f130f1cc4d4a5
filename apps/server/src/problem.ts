import type { Problem, ProblemCode } from '@lineage/referral-api'
import { problems } from '@lineage/referral-api/problems'

/**
 * An error answer as RFC 9457 writes it. Its status follows from the code.
 *
 * @example problem('rate_limited', { detail: 'Wait two seconds.', retryAfter: 2 })
 */
export function problem(code: ProblemCode, { detail, progress, retryAfter, allow }: ProblemParameters): Response {
  const { status, title } = problems[code]
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
