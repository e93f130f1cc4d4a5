import { checksumAddress, parseAddress } from '@lineage/communities'
import type { Address, Problem, ProblemCode } from '@lineage/referral-api'
import type { QueryProblem } from '@lineage/referral-api/parse-query'
import { problems, problemType } from '@lineage/referral-api/problems'
import { findRequestId } from './log.ts'

type ProblemExtra = Partial<Pick<Problem, 'parameter' | 'block' | 'cursor' | 'progress' | 'reasons'>> & {
  /** Seconds. @default 1 for `indexing` */
  retryAfter?: number | undefined
  /** The allowed methods, for `method_not_allowed`. */
  allow?: string | undefined
}

/**
 * Thrown for a request that cannot be answered. The app answers it as `application/problem+json` (RFC 9457), with the
 * status of its code.
 *
 * @example throw new ProblemError('rate_limited', 'Too many requests. Try again in 2 s.', { retryAfter: 2 })
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly code: ProblemCode
  readonly extra: ProblemExtra

  constructor(code: ProblemCode, detail: string, extra: ProblemExtra = {}) {
    super(detail)
    this.code = code
    this.extra = extra
  }

  toResponse(): Response {
    const { text, ...init } = describeProblem(this.code, this.message, this.extra)
    return new Response(text, init)
  }
}

/** The parts of an answer that tells of a problem. */
export type ProblemParts = { status: number; headers: Record<string, string>; text: string }

/** Returns the answer that tells of a problem, with the id of its request. */
export function describeProblem(
  code: ProblemCode,
  detail: string,
  given: ProblemExtra = {},
  requestId = findRequestId(),
): ProblemParts {
  const { retryAfter = code === 'indexing' ? 1 : undefined, allow, ...extra } = given
  const { status, title } = problems[code]
  const body: Problem = { type: problemType(code), title, status, detail, code, ...extra, requestId }
  const text = JSON.stringify(body)
  const headers = {
    'content-type': 'application/problem+json',
    // With its length, short text is not compressed.
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(allow !== undefined && { allow }),
  }
  return { status, headers, text }
}

export const queryProblem = ({ code, detail, parameter }: QueryProblem) =>
  new ProblemError(code, detail, parameter === undefined ? {} : { parameter })

export const notFound = () => new ProblemError('not_found', 'There is nothing at this path. See /v1/docs for the API.')

export const notAllowed = (allow: string) => new ProblemError('method_not_allowed', `Use ${allow} here.`, { allow })

export const invalidAddress = () =>
  new ProblemError('invalid_address', 'The address is not valid. Send 0x and 40 hex digits.')

/** Returns an address of a request, in any case, with its checksum. @throws {ProblemError} `invalid_address` */
export function requireAddress(text: string): Address {
  if (parseAddress(text).status === 'malformed') throw invalidAddress()
  return checksumAddress(text.toLowerCase() as Address)
}

export const internalError = () =>
  new ProblemError('internal', 'An unexpected error occurred. It is in the log of the server.')

/** Returns the problem of accounts whose database does not answer. */
export const noAccounts = () =>
  new ProblemError('unavailable', 'Accounts are not available. Try again later.', { retryAfter: 5 })

/** Returns the problem of a lookup whose visitor has seen a block that the index does not have. */
export const notIndexed = (block: number) =>
  new ProblemError('unavailable', `Block ${block} is not indexed here yet. Try again.`, { retryAfter: 1 })
