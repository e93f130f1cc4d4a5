import type { BatchRequest } from '@lineage/referral-api'
import { batchLimit, bodyLimit as maxSize } from '@lineage/referral-api/problems'
import { batchRequest } from '@lineage/referral-api/schemas'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ProblemError } from './problems.ts'

/** Refuses bodies that are not JSON. */
export const requireJson: MiddlewareHandler = (context, next) => {
  const [type = ''] = (context.req.header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() === 'application/json') return next()
  throw new ProblemError('unsupported_media_type', 'Unsupported content type: send the body as application/json.')
}

/** Refuses bodies above the limit, and reads no further than it. */
export const limitBody = bodyLimit({
  maxSize,
  onError: () => {
    throw new ProblemError('payload_too_large', `The request body is too large: it may have ${maxSize / 1024} kB.`)
  },
})

/** Reads the body of a batch; addresses stay as they were sent. */
export async function readBatchRequest(request: HonoRequest): Promise<BatchRequest> {
  const body: unknown = await request.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error
    throw new ProblemError('invalid_body', 'The request body is not JSON.')
  })
  const { data, error } = batchRequest.safeParse(body)
  if (data) return data
  throw new ProblemError(
    'invalid_body',
    error.issues.some(({ code }) => code === 'too_big')
      ? `Too many addresses: a batch has at most ${batchLimit}. Split it.`
      : 'Invalid request body: send { "addresses": ["0x…", …] }, with "tx": true to include transactions.',
  )
}
