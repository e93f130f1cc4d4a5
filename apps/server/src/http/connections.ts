import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { parseAddress } from '../lib/parseAddress.ts'

/** Time limits in milliseconds. */
export const defaultTimeouts = {
  /** Until the first request of a connection has begun and its headers have arrived. */
  firstRequest: 15_000,
  /** Until a body has arrived. */
  body: 30_000,
  /** Without a byte in either direction while a request is open: a node and the indexer have 10 s each. */
  idle: 30_000,
  /** Until the client has read the rest of a complete response. */
  reading: 60_000,
  /** Between two requests. Longer than the 60 s of nginx and AWS, or a proxy could send on a connection that closes. */
  keepAlive: 70_000,
}
export type Timeouts = typeof defaultTimeouts

/** Ends connections that send or read too slowly. */
export function limitTimes(server: Server, { firstRequest, body, idle, reading, keepAlive }: Timeouts): void {
  server.timeout = idle
  server.keepAliveTimeout = keepAlive
  // Node counts these from the start of each request. They must be longer than the keep-alive, and limit slow
  // senders.
  server.headersTimeout = keepAlive + 5_000
  server.requestTimeout = keepAlive + 10_000

  const firstTimers = new WeakMap<Socket, NodeJS.Timeout>()
  server.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), firstRequest)
    firstTimers.set(socket, timer)
    socket.once('close', () => clearTimeout(timer))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    clearTimeout(firstTimers.get(request.socket))
    endUnless(request.socket, () => request.complete, body, response)
    response.once('prefinish', () => endUnless(request.socket, () => response.writableFinished, reading, response))
  })
}

/** Largest number of connections by default. */
export const mostConnections = 9_000
/** Largest number of connections of one address (an IPv6 /64 counts as one), if no proxy is in front of the server. */
export const mostConnectionsPerAddress = 256

export type ConnectionLimits = {
  total: number
  /** `null` behind a proxy, because all visitors share its address. */
  perAddress: number | null
}

/**
 * Returns how many connections the server may have: 4,000 plus 5,000 streams, or fewer if the system allows fewer
 * open files. Each connection may need a second file for its request to the indexer.
 */
export function findConnectionLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const files = Number(userLimits?.open_files?.soft)
  return Number.isNaN(files) ? 4_000 : Math.max(16, Math.min(mostConnections, Math.floor((files - 64) / 2)))
}

/** Closes connections beyond the limits. To make room, idle ones are closed first. */
export function limitConnections(
  server: Server,
  { total, perAddress }: ConnectionLimits,
  log: (message: string) => void,
): void {
  server.maxConnections = total
  server.on('drop', () => {
    server.closeIdleConnections()
    log(`Connections were closed: the limit of ${total} is reached.`)
  })
  if (perAddress === null) return
  const byAddress = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const address = parseAddress(remoteAddress) ?? remoteAddress
    const count = (byAddress.get(address) ?? 0) + 1
    byAddress.set(address, count)
    socket.once('close', () => {
      const rest = (byAddress.get(address) ?? 1) - 1
      if (rest === 0) byAddress.delete(address)
      else byAddress.set(address, rest)
    })
    if (count <= perAddress) return
    socket.destroy()
    log(`Connections were closed: one address has reached the limit of ${perAddress}.`)
  })
}

/** Ends a connection unless `isDone` holds in time. */
function endUnless(socket: Socket, isDone: () => boolean, milliseconds: number, response: ServerResponse): void {
  if (isDone()) return
  const timer = setTimeout(() => {
    if (!isDone()) socket.destroy()
  }, milliseconds)
  response.once('close', () => clearTimeout(timer))
}
