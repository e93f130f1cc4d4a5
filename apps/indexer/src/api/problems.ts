import type { Problem, ProblemCode, Progress } from '@lineage/referral-api'

const problems = {
  member_not_found: { status: 404, title: 'No such member' },
  community_not_found: { status: 404, title: 'No such community' },
  not_found: { status: 404, title: 'No such page' },
  invalid_address: { status: 400, title: 'Not an address' },
  invalid_cursor: { status: 400, title: 'Not a cursor' },
  invalid_parameter: { status: 400, title: 'A parameter is wrong' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  indexing: { status: 503, title: 'Still indexing' },
  internal: { status: 500, title: 'Something went wrong here' },
} as const satisfies Partial<Record<ProblemCode, { status: number; title: string }>>

/** What keeps a request from its answer; the API answers it as `application/problem+json`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly code: keyof typeof problems
  readonly extra: { parameter?: string; progress?: Progress }

  constructor(code: keyof typeof problems, detail: string, extra: ProblemError['extra'] = {}) {
    super(detail)
    this.code = code
    this.extra = extra
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc9457 */
export function toResponse({ code, message, extra }: ProblemError): Response {
  const { status, title } = problems[code]
  const body: Problem = { type: 'about:blank', title, status, detail: message, code, ...extra }
  const headers = new Headers({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
  if (code === 'indexing') headers.set('retry-after', '1')
  if (code === 'method_not_allowed') headers.set('allow', 'GET, HEAD')
  return new Response(JSON.stringify(body), { status, headers })
}
