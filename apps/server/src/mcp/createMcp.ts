import { bodyLimit } from '@lineage/referral-api/problems'
import { readJson } from '@lineage/wallet-kit/siwe-server'
import { notAllowed, problem } from '../lib/problem.ts'
import type { McpContext } from './serveMessage.ts'

export type McpParameters = {
  /** Origins whose pages may call. Links in answers use the first one. */
  origins: readonly [string, ...string[]]
}

/**
 * Creates the handler of `/mcp`, where programs and agents send lookups. It keeps no sessions: each request has one
 * message and gets one answer. The library is loaded with the first message.
 *
 * A request of a page must come from one of the `origins`, which also blocks DNS rebinding (a page whose host name
 * was pointed at this server). Programs send no `Origin`.
 *
 * @see https://modelcontextprotocol.io/specification
 */
export function createMcp({ origins }: McpParameters) {
  return async (request: Request, context: Omit<McpContext, 'origin'>): Promise<Response> => {
    if (request.method !== 'POST') return notAllowed('POST')
    const origin = request.headers.get('origin')
    if (origin !== null && !origins.includes(origin))
      return problem('cross_site', { detail: 'Only pages of this site may call /mcp.' })
    const { code, json, detail } = await readJson(request, bodyLimit)
    if (code !== 'ok') return problem(code === 'malformed' ? 'invalid_body' : code, { detail })
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      return problem('invalid_body', { detail: 'Send one JSON-RPC message, not a batch.' })
    const { serveMessage } = await import('./serveMessage.ts')
    return serveMessage(request, json, { ...context, origin: origins[0] })
  }
}
