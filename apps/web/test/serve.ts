import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves a fetch-style handler over real HTTP. `Response.error()` drops the connection. */
export async function serve(handle: (request: Request) => Promise<Response>, port = 0) {
  const server = createServer((incoming, outgoing) => {
    const body: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => body.push(chunk))
    incoming.on('end', () => {
      const request = new Request(`http://localhost${incoming.url}`, {
        method: incoming.method ?? 'GET',
        ...(body.length > 0 && { body: Buffer.concat(body) }),
      })
      handle(request).then(
        async (response) => {
          if (response.type === 'error') {
            incoming.socket.destroy()
            return
          }
          outgoing.writeHead(response.status, {
            ...Object.fromEntries(response.headers),
            'access-control-allow-origin': '*',
          })
          outgoing.end(Buffer.from(await response.arrayBuffer()))
        },
        () => outgoing.writeHead(500).end(),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
