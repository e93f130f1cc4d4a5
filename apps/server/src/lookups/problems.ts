import type { Problem, ProblemCode, Progress, Reason } from '@lineage/referral-api'
import { problems } from '@lineage/referral-api/problems'

/** Thrown for a request that cannot be answered. The API returns it as `application/problem+json`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly code: ProblemCode
  readonly extra: { parameter?: string; progress?: Progress; reasons?: Reason[]; allow?: string }

  constructor(code: ProblemCode, detail: string, extra: ProblemError['extra'] = {}) {
    super(detail)
    this.code = code
    this.extra = extra
  }
}

export const invalidCursor = () =>
  new ProblemError('invalid_cursor', 'Invalid cursor: it belongs to another list. Start from the first page.')

/**
 * Converts a problem to a response.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
export function toResponse({ code, message, extra: { allow, ...extra } }: ProblemError): Response {
  const { status, title } = problems[code]
  const body: Problem = { type: 'about:blank', title, status, detail: message, code, ...extra }
  const headers = new Headers({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
  if (code === 'indexing') headers.set('retry-after', '1')
  if (allow) headers.set('allow', allow)
  return new Response(JSON.stringify(body), { status, headers })
}
