import type { IncomingMessage, ServerResponse } from 'node:http'
import { findOperation, type Operation } from '@lineage/referral-api/operations'
import type { Services } from '../api/services.ts'
import { deprecationHeaders, isPublic, preflightHeaders, publicHeaders, siteHeaders } from '../http/headers.ts'
import { chooseRequestId, withRequestId } from '../lib/log.ts'
import { describeProblem, type ProblemParts } from '../lib/problem.ts'
import { identifyVisitor } from '../lib/visitor.ts'
import { createObserver, type ObserveParameters } from '../monitoring/observe.ts'
import { requestBytes } from '../rpc/createRpc.ts'
import { type Price, priceOf, tooMany } from './limits.ts'
import { downloadKind, type Refusal } from './loadQueue.ts'

/** Calls `start` when it is the turn of a request, or refuses the request. */
export type Admit = (incoming: IncomingMessage, outgoing: ServerResponse, start: () => void) => void

export type GateParameters = Pick<Services, 'limits' | 'queue' | 'rpcBytes'> & {
  settings: Pick<Services['settings'], 'origins' | 'trustedProxies'>
  /** Called when a request has ended. */
  note?: ObserveParameters['note'] | undefined
}

/** Share of a request that a file, a sign-in or another small request counts as, when visitors are put in order. */
const weightOfFile = 0.2

/**
 * Creates the gate in front of the app. It refuses a request whose visitor has used up a limit, or for which the server
 * has no time, and lets the others take their turn. A refusal costs a fraction of an answer of the app. The app counts the
 * request and refuses it too, because a path can be written in ways that only the app understands.
 *
 * Pages, files and sign-in are never refused here. Preflights are answered here: they cost nothing else.
 */
export function createGate({ limits, queue, rpcBytes, settings, note }: GateParameters): Admit {
  const { trustedProxies, origins } = settings
  const headers = new Map(Object.entries(siteHeaders(origins, 'other')))
  const scriptHeaders = new Map(Object.entries(siteHeaders(origins, 'script')))
  const observe = note && createObserver({ note })

  const isFullFor = (visitor: string, { id, tag, response }: Operation): boolean =>
    id === 'rpc'
      ? rpcBytes.isFullFor(visitor, requestBytes)
      : tag === 'lookups' && queue.isFullFor(visitor, downloadKind(response))

  return (incoming, outgoing, start) => {
    const { method = 'GET', url = '/', socket } = incoming
    const forwardedFor = incoming.headers['x-forwarded-for']?.toString()
    const visitor = identifyVisitor({ peer: socket.remoteAddress, forwardedFor, trustedProxies })
    const path = url.split('?', 1)[0] as string
    const preflighted = method === 'OPTIONS' ? incoming.headers['access-control-request-method'] : undefined
    const operation = path.startsWith('/v1/')
      ? findOperation(preflighted ?? method, path.slice('/v1'.length))
      : undefined
    const id = chooseRequestId(incoming.headers['x-request-id']?.toString())
    // Later headers of the same name replace these.
    outgoing.setHeaders(/^\/assets\/[^/]+\.js$/.test(path) ? scriptHeaders : headers)
    outgoing.setHeader('x-request-id', id)
    if (isPublic(operation)) outgoing.setHeaders(publicHeaders)
    if (operation?.deprecated) outgoing.setHeaders(new Map(deprecationHeaders(operation)))
    observe?.(incoming, outgoing, visitor, id)
    if (preflighted !== undefined && isPublic(operation)) {
      outgoing.writeHead(204, preflightHeaders(preflighted)).end()
      return
    }
    const price = path === '/mcp' ? mcpPrice : preflighted === undefined && operation ? priceOf(operation) : undefined
    const refuse = (...problem: Refusal) =>
      sendProblem(incoming, outgoing, describeProblem(problem[0], problem[1], problem[2], id))

    const quote = price && limits.quote(visitor, price)
    for (const [name, value] of quote?.headers ?? []) outgoing.setHeader(name, value)
    if (quote && quote.seconds > 0) return refuse(...tooMany(quote.seconds))
    const take = () => {
      if (outgoing.destroyed) return
      if (operation && isFullFor(visitor, operation)) refuse(...queue.refusalOf(visitor))
      else withRequestId(id, start)
    }
    // A server that says nothing for long is restarted.
    if (operation?.id === 'health') return take()
    const isPage = operation === undefined && !path.startsWith('/assets/')
    const task = { visitor, start: take, refuse: price && (() => refuse(...queue.refusalOf(visitor))) }
    queue.takeTurn(task, price || isPage ? 1 : weightOfFile)
  }
}

const mcpPrice: Price = { limit: 'lookups', cost: 1 }

function sendProblem({ method }: IncomingMessage, outgoing: ServerResponse, problem: ProblemParts): void {
  if (outgoing.destroyed) return
  outgoing.writeHead(problem.status, problem.headers).end(method === 'HEAD' ? undefined : problem.text)
}
