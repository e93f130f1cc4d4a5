import type { IncomingMessage, ServerResponse } from 'node:http'
import { findOperation } from '@lineage/referral-api/operations'
import type { Settings } from '../settings/settings.ts'

/** A request that has ended. Of its path it has only the route, because paths name people. */
export type ObservedRequest = {
  id: string
  method: string
  /** The path of an operation as in the OpenAPI document, `/mcp`, `page`, `asset`, or `unknown` below `/v1`. */
  route: string
  /** 499 when the visitor left before the response was sent. */
  status: number
  milliseconds: number
  visitor: string
}

export type ObserveParameters = {
  /** Called when a request has ended. */
  note: (request: ObservedRequest) => void
}

/** Creates a function that observes a request with its id. */
export function createObserver({ note }: ObserveParameters) {
  return (incoming: IncomingMessage, outgoing: ServerResponse, visitor: string, id: string): void => {
    const { method = '', url = '' } = incoming
    const startedAt = performance.now()
    outgoing.once('close', () => {
      const status = outgoing.writableFinished ? outgoing.statusCode : 499
      note({ id, method, route: routeOf(method, url), status, milliseconds: performance.now() - startedAt, visitor })
    })
  }
}

/**
 * Returns the route of a request.
 *
 * @example routeOf('GET', '/v1/communities/demo/members/0xAb?x') // '/v1/communities/{community}/members/{address}'
 */
export function routeOf(method: string, url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  if (path.startsWith('/assets/')) return 'asset'
  if (path === '/mcp') return path
  if (!path.startsWith('/v1/')) return 'page'
  const operation = findOperation(method, path.slice('/v1'.length))
  return operation ? `/v1${operation.path}` : 'unknown'
}

/** Creates a function that logs each request as a line of JSON. */
export function createRequestLog(
  { logVisitors }: Pick<Settings, 'logVisitors'>,
  write: (line: string) => unknown,
): ObserveParameters['note'] {
  return ({ id, visitor, milliseconds, ...request }) =>
    write(
      JSON.stringify({
        time: new Date().toISOString(),
        level: 'info',
        message: 'request',
        request: id,
        ...request,
        milliseconds: Math.round(milliseconds * 10) / 10,
        ...(logVisitors === 'yes' && { visitor }),
      }),
    )
}
