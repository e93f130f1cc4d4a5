import { createServer, type Server } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Log } from '../lib/log.ts'
import { internalError, ProblemError } from '../lib/problem.ts'
import type { Admit } from '../load/gate.ts'

/** Thrown when the server cannot listen on the port or address of the settings. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Time limits of connections, in milliseconds. */
export const defaultTimeouts = {
  /** Until the headers of a request have arrived. */
  headers: 15_000,
  /** Until a whole request has arrived. */
  request: 30_000,
  /** Without a byte in either direction: a node has 10 s, and streams send a beat every 10 s. */
  idle: 30_000,
  /** Between two requests. Longer than the 60 s of nginx and AWS, or a proxy could send on a connection that closes. */
  keepAlive: 70_000,
}

export type ListenParameters = {
  port: number
  /** Default: all addresses. */
  host?: string
  timeouts?: typeof defaultTimeouts
  /** Largest number of connections. Default: no limit. */
  connections?: number
  log?: Log
}

/** Starts an HTTP server for the app. @throws {ListenError} */
export async function listen(
  { fetch, admit = startAtOnce }: { fetch: Parameters<typeof getRequestListener>[0]; admit?: Admit },
  { port, host, timeouts = defaultTimeouts, connections, log = console.error }: ListenParameters,
): Promise<Server> {
  const { headers, request, idle, keepAlive } = timeouts
  const listener = getRequestListener(fetch, {
    errorHandler,
    // For requests without a Host header (HTTP/1.0), as some health checks send them.
    hostname: 'localhost',
  })
  const limits = {
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: keepAlive,
    // How often Node looks for requests that have not arrived in time.
    connectionsCheckingInterval: Math.min(5_000, headers / 2),
  }
  const server = createServer(limits, (incoming, outgoing) =>
    admit(incoming, outgoing, () => void listener(incoming, outgoing)),
  )
  server.timeout = idle
  if (connections !== undefined) limitConnections(server, connections, log)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, port, host)))
    server.listen({ port, host }, resolve)
  })
  return server
}

const startAtOnce: Admit = (_incoming, _outgoing, start) => start()

/** Largest number of connections by default: 4,000 plus 10,000 streams. */
export const mostConnections = 14_000

/** Returns how many connections the server may have, or fewer if the system allows fewer open files. */
export function findConnectionLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const files = Number(userLimits?.open_files?.soft)
  return Number.isNaN(files) ? mostConnections : Math.max(16, Math.min(mostConnections, files - 128))
}

/** Closes connections beyond the limit. To make room, idle ones are closed too. */
function limitConnections(server: Server, most: number, log: Log): void {
  server.maxConnections = most
  server.on('drop', () => {
    server.closeIdleConnections()
    log(`Connections were closed: the limit of ${most} is reached.`)
  })
}

/** Closes a server once open responses have finished, at the latest after `timeout` milliseconds. */
export async function stop(server: Server, timeout = 5_000): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), timeout)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearTimeout(timer)
}

/** Explains an error of listening, if it is of the settings. */
export function toListenError(error: NodeJS.ErrnoException, port: number, host: string | undefined): Error {
  const free = `Set PORT to a free one, for example PORT=${port + 1}.`
  if (error.code === 'EADDRINUSE') return new ListenError(`Port ${port} is taken by another program. ${free}`)
  if (error.code === 'EADDRNOTAVAIL')
    return new ListenError(`This machine does not have the address ${host}. Set LINEAGE_HOST to one that it has.`)
  if (error.code === 'EACCES')
    return new ListenError(`This user may not listen on port ${port}. Set PORT to 1024 or above, behind a proxy.`)
  return error
}

/** Answers a request that fails before it reaches the app, such as one with an invalid target. */
function errorHandler(error: unknown): Response {
  const isMalformed = error instanceof RequestError
  if (!isMalformed) console.error(error)
  return (
    isMalformed ? new ProblemError('invalid_parameter', 'The request is malformed.') : internalError()
  ).toResponse()
}
