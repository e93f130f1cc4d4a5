import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Upstream = { url: string; port: number; close: () => Promise<void> }

/** A real little server on a free port, closed with everything it still holds. */
export async function startUpstream(listener: RequestListener): Promise<Upstream> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return { url: `http://127.0.0.1:${port}`, port, close: () => closed(server) }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

export function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** A port nobody listens on. */
export async function freePort(): Promise<number> {
  const { port, close } = await startUpstream(() => undefined)
  await close()
  return port
}
