import type { IncomingMessage, ServerResponse } from 'node:http'
import { apiPath } from '../lib/apiPath.ts'
import { identifyVisitor } from '../lib/identifyVisitor.ts'
import { problem } from '../lib/problem.ts'
import type { Overload } from '../load/overload.ts'
import { securityHeaders } from './securityHeaders.ts'

/** Answers a request and returns `refused`, or returns `admitted` and leaves it to the app. */
export type Gate = (incoming: IncomingMessage, outgoing: ServerResponse) => 'admitted' | 'refused'

const healthPath = apiPath('health')
/** Cost of an asset: it is served from memory, and a page has many. */
const assetCost = 0.1

/** Creates the gate in front of the app. A refusal costs much less than an answer of the app. */
export async function createGate(overload: Overload, trustedProxies: number): Promise<Gate> {
  const response = problem('unavailable', { detail: 'The server is busy. Try again in 2 s.', retryAfter: 2 })
  const body = Buffer.from(await response.arrayBuffer())
  const headers = { ...securityHeaders, ...Object.fromEntries(response.headers), 'content-length': body.length }

  return (incoming, outgoing) => {
    const { url = '/', socket, method } = incoming
    if (url === healthPath) return 'admitted'
    const forwardedFor = incoming.headers['x-forwarded-for']?.toString()
    const visitor = identifyVisitor({ peer: socket.remoteAddress, forwardedFor, trustedProxies })
    if (overload.admit(visitor, url.startsWith('/assets/') ? assetCost : 1) === 'admitted') return 'admitted'
    outgoing.writeHead(503, headers).end(method === 'HEAD' ? undefined : body)
    return 'refused'
  }
}
