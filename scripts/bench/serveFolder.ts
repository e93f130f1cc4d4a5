import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

export type Site = Awaited<ReturnType<typeof serveFolder>>

/** Serves a build on its own port. Files are compressed beforehand, so that compression is not measured. */
export async function serveFolder(folder: string) {
  const files = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(join(folder, file)).isFile())
      .map((file) => [`/${file.replaceAll('\\', '/')}`, gzipSync(readFileSync(join(folder, file)), { level: 9 })]),
  )
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const body = files.get(pathname)
    if (!body) return response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': types[extname(pathname)] ?? 'application/octet-stream',
      'content-encoding': 'gzip',
      'content-length': body.byteLength,
      'cache-control': pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
    return response.end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Returns the size of a file as sent, without headers, in bytes. */
    sizeOf: (url: string) => files.get(new URL(url).pathname)?.byteLength ?? 0,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
