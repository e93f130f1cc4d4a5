import { createServer, type Server } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Log } from '../lib/log.ts'
import { internalError, problem } from '../lib/problem.ts'
import type { Observe } from '../monitoring/observe.ts'
import { type ConnectionLimits, defaultTimeouts, limitConnections, limitTimes, type Timeouts } from './connections.ts'
import type { Gate } from './gate.ts'
import { securityHeaders } from './securityHeaders.ts'

/** Thrown when the server cannot listen on the port or address of the settings. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

export type ListenParameters = {
  port: number
  /** Default: all addresses. */
  host?: string
  /** Admits requests before they reach the app. Default: all. */
  gate?: Gate
  /** Watches all requests. */
  observe?: Observe | undefined
  timeouts?: Timeouts
  /** Default: no limit. */
  connections?: ConnectionLimits
  log?: Log
}

/** Starts an HTTP server for the app. @throws {ListenError} */
export async function listen(
  app: { fetch: Parameters<typeof getRequestListener>[0] },
  {
    port,
    host,
    gate = () => 'admitted',
    observe = (_incoming, _outgoing, handle) => handle(),
    timeouts = defaultTimeouts,
    connections,
    log = console.error,
  }: ListenParameters,
): Promise<Server> {
  const listener = getRequestListener(app.fetch, {
    errorHandler,
    // For requests without a Host header (HTTP/1.0), as some health checks send them.
    hostname: 'localhost',
  })
  const server = createServer((incoming, outgoing) => {
    observe(incoming, outgoing, () => {
      if (gate(incoming, outgoing) === 'admitted') void listener(incoming, outgoing)
    })
  })
  limitTimes(server, timeouts)
  if (connections) limitConnections(server, connections, log)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, port, host)))
    server.listen({ port, host }, resolve)
  })
  return server
}

/** Closes a server once open responses have finished, at the latest after `timeout` milliseconds. */
export async function stop(server: Server, timeout = 5_000): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), timeout)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearTimeout(timer)
}

function toListenError(error: NodeJS.ErrnoException, port: number, host: string | undefined): Error {
  const free = `Set PORT to a free one, for example PORT=${port + 1}.`
  if (error.code === 'EADDRINUSE') return new ListenError(`Port ${port} is taken by another program. ${free}`)
  if (error.code === 'EADDRNOTAVAIL')
    return new ListenError(`This machine does not have the address ${host}. Set LINEAGE_HOST to one that it has.`)
  return error
}

/** Answers a request that fails before it reaches the app, such as one with an invalid target. */
function errorHandler(error: unknown): Response {
  if (!(error instanceof RequestError)) console.error(error)
  const response =
    error instanceof RequestError
      ? problem('invalid_parameter', { detail: 'The request is malformed.' })
      : internalError()
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value)
  return response
}
