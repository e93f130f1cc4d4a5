import type { Problem, ProblemCode } from '@lineage/referral-api'
import { problems } from '@lineage/referral-api/problems'

export type ProblemParameters = {
  detail: string
  progress?: Problem['progress']
  /** Reasons why the index is not ready. */
  reasons?: Problem['reasons']
  /** Seconds. */
  retryAfter?: number
  /** The allowed methods, for `method_not_allowed`. */
  allow?: string
}

/**
 * Creates an error response (RFC 9457). Its status follows from the code.
 *
 * @example problem('rate_limited', { detail: 'Too many requests. Try again in 2 s.', retryAfter: 2 })
 */
export function problem(
  code: ProblemCode,
  { detail, progress, reasons, retryAfter, allow }: ProblemParameters,
): Response {
  const { status, title } = problems[code]
  const extra = { ...(progress && { progress }), ...(reasons && { reasons }) }
  const body: Problem = { type: 'about:blank', title, status, detail, code, ...extra }
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

export const notFound = () =>
  problem('not_found', { detail: 'There is nothing at this path. See /v1/docs for the API.' })

export const notAllowed = (allow: string) => problem('method_not_allowed', { detail: `Use ${allow} here.`, allow })

export const tooLarge = (limit: string) =>
  problem('payload_too_large', { detail: `The body is too large. Send at most ${limit}.` })

export const invalidAddress = () =>
  problem('invalid_address', { detail: 'The address is not valid. Send 0x and 40 hex digits.' })

export const internalError = () =>
  problem('internal', { detail: 'An unexpected error occurred. It is in the log of the server.' })

/** Returns the response for an account that has too many waiting writes. */
export const tooManyWrites = () =>
  problem('rate_limited', {
    detail: 'Earlier changes of this account are still in progress. Try again in 1 s.',
    retryAfter: 1,
  })
