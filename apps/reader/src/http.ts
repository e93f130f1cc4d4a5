import { createServer } from 'node:http'
import type { ReaderState } from './reader.ts'
import { SettingError, type Settings } from './settings.ts'

/** Serves the health and the readiness of a reader. */
export async function listenHttp({ host, port }: Pick<Settings, 'host' | 'port'>, state: ReaderState): Promise<void> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://reader')
    if (pathname === '/health') return void response.end('{"status":"ok"}')
    if (pathname !== '/ready') return void response.writeHead(404).end()
    const isReady = state.role !== 'starting' && state.database === 'answering'
    response.writeHead(isReady ? 200 : 503, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ role: state.role, database: state.database }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code})`
      reject(new SettingError(`Port ${port} ${reason}. Set LINEAGE_READER_PORT to a free one.`))
    })
    server.listen(port, host, resolve)
  })
}
