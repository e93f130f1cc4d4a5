import { createServer } from 'node:http'
import { createMetrics } from './metrics.ts'
import type { ReaderState } from './report.ts'
import { SettingError, type Settings } from './settings.ts'

/** Serves the health, the readiness and the metrics of a reader. */
export async function listenHttp({ host, port }: Pick<Settings, 'host' | 'port'>, state: ReaderState): Promise<void> {
  const metrics = createMetrics(state)
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '/').split('?')
    if (path === '/health') return void response.end('{"status":"ok"}')
    if (path === '/metrics')
      return void metrics.metrics().then((text) => {
        response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
      })
    if (path !== '/ready') return void response.writeHead(404).end()
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
