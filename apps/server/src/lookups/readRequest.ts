import type { BatchRequest } from '@lineage/referral-api'
import { addressPattern } from '@lineage/referral-api/address'
import { batchLimit } from '@lineage/referral-api/problems'
import { batchRequest } from '@lineage/referral-api/schemas'
import type { WatchedRequest } from '@lineage/referral-api/watched'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod'
import { ProblemError } from './problems.ts'

/** Refuses requests whose body is not JSON. */
export const requireJson: MiddlewareHandler = (context, next) => {
  const [type = ''] = (context.req.header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() === 'application/json') return next()
  throw new ProblemError('unsupported_media_type', 'Unsupported content type: send the body as application/json.')
}

/** Returns a middleware that refuses a body with more bytes, and stops reading it. */
export const limitBody = (maxSize: number): MiddlewareHandler =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new ProblemError('payload_too_large', `The request body is too large: it may have ${maxSize / 1024} kB.`)
    },
  })

/** Reads the body of a batch. Addresses stay as sent. */
export async function readBatchRequest(request: HonoRequest): Promise<BatchRequest> {
  const { data, error } = batchRequest.safeParse(await readJson(request))
  if (data) return data
  throw new ProblemError(
    'invalid_body',
    error.issues.some(({ code }) => code === 'too_big')
      ? `Too many addresses: a batch has at most ${batchLimit}. Split it.`
      : 'Invalid request body: send { "addresses": ["0x…", …] }, with "tx": true to include transactions, and nothing else.',
  )
}

const watchedRequest = z.object({
  addresses: z.array(z.string().regex(addressPattern).lowercase()),
  after: z.int().min(0).nullable(),
})

/** Reads the addresses that the server watches, from the body of a request. */
export async function readWatchedRequest(request: HonoRequest): Promise<WatchedRequest> {
  const { data } = watchedRequest.safeParse(await readJson(request))
  if (data) return data
  throw new ProblemError(
    'invalid_body',
    'Invalid request body: send { "addresses": ["0x…", …], "after": … }, addresses in lower case, a block or null.',
  )
}

/** Parses the body as JSON. */
const readJson = (request: HonoRequest): Promise<unknown> =>
  request.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error
    throw new ProblemError('invalid_body', 'The request body is not JSON.')
  })
