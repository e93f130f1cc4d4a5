import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A closed port: no program listens on port 2, the system never assigns it, and `fetch` does not block it. */
export const closedPort = 2

export type Upstream = { url: string; port: number; close: () => Promise<void> }

/** Starts an HTTP server on a free port. */
export async function startUpstream(listener: RequestListener): Promise<Upstream> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return { url: `http://127.0.0.1:${port}`, port, close: () => closed(server) }
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

export function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
