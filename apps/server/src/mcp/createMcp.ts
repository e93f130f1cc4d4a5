import { createCommunityReader, type LookUp, readBody } from '../api/lookups.ts'
import type { Services } from '../api/services.ts'
import type { Handler } from '../http/handler.ts'
import { notAllowed, ProblemError } from '../lib/problem.ts'
import { costs } from '../load/limits.ts'

/**
 * Creates the handler of `/mcp`, where programs and agents send lookups. It keeps no sessions: each request has one
 * message and gets one answer. A message costs as much as a lookup, which includes the lookup of its call. The library
 * is loaded with the first message.
 *
 * A request of a page must come from an origin of the settings, which also blocks DNS rebinding (a page whose host name
 * was pointed at this server). Programs send no `Origin`.
 *
 * @see https://modelcontextprotocol.io/specification
 */
export function createMcp(
  lookUp: LookUp,
  { settings: { origins }, limits, index }: Pick<Services, 'settings' | 'limits' | 'index'>,
): Handler {
  const readCommunities = createCommunityReader(index)
  return async (c) => {
    const { visitor } = c.var
    limits.require('lookups', visitor)
    if (c.req.method !== 'POST') throw notAllowed('POST')
    const origin = c.req.header('origin')
    if (origin !== undefined && !origins.includes(origin))
      throw new ProblemError('cross_site', 'Only pages of this site may call /mcp.')
    const json = await readBody(c.req.raw)
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw new ProblemError('invalid_body', 'Send one JSON-RPC message, not a batch.')
    const { serveMessage } = await import('./serveMessage.ts')
    return serveMessage(c.req.raw, json, {
      origin: origins[0],
      readCommunities,
      lookUp(request, signal) {
        limits.require('lookups', visitor, costs.lookup(request.id) - 1)
        return lookUp(visitor, request, signal)
      },
    })
  }
}
