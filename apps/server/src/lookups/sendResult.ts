import type { LookupId } from '@lineage/referral-api/routes'
import type { Context } from 'hono'
import type { IndexView } from '../reader/indexState.ts'
import type { Result } from './lookup.ts'

/** Headers of a response that is valid only for its moment. */
export const notCached = { 'cache-control': 'no-store' }

/**
 * Part of every entity tag: after a restart and a reorganisation, the same block and version may have different
 * content.
 */
const run = Date.now().toString(36)

/** Sends the result of a lookup with its entity tag, or 304 if the client already has it. */
export function sendCacheable(context: Context, view: IndexView, result: Result<LookupId>): Response {
  if (result.state === 'partial') return sendUncached(context, view, result)
  const tag = `W/"${view.asOf.block}-${run}.${view.version}"`
  const headers = { etag: tag, 'cache-control': 'public, max-age=1' }
  if (matches(context.req.header('if-none-match'), tag)) return context.body(null, 304, headers)
  const { body } = result
  if (body instanceof ReadableStream) return context.body(body, 200, { ...headers, ...result.headers })
  return context.json({ asOf: view.asOf, ...body }, 200, headers)
}

/** Sends the result of a lookup that must not be cached. */
export function sendUncached(context: Context, view: IndexView, { body }: Result<LookupId>): Response {
  return context.json({ asOf: view.asOf, ...body }, 200, notCached)
}

function matches(header: string | undefined, tag: string): boolean {
  return (header ?? '').split(',').some((part) => [tag, tag.slice(2), '*'].includes(part.trim()))
}
