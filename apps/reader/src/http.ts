import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import type { ReaderState } from './report.ts'
import { SettingError, type Settings } from './settings.ts'

/** Serves the health, the readiness and the metrics of a reader. */
export async function listenHttp({ host, port }: Pick<Settings, 'host' | 'port'>, state: ReaderState): Promise<void> {
  let metrics: Promise<Registry> | undefined
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '/').split('?')
    if (path === '/health') return void response.end('{"status":"ok"}')
    if (path === '/metrics') {
      // Loaded when it is needed: a quarter of the modules of a reader are for it.
      metrics ??= import('./metrics.ts').then(({ createMetrics }) => createMetrics(state))
      return void metrics.then(async (registry) => {
        response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
      })
    }
    if (path !== '/ready') return void response.writeHead(404).end()
    const isReady = state.role !== 'starting' && state.database === 'answering'
    response.writeHead(isReady ? 200 : 503, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ role: state.role, database: state.database }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? '')
      const reason = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code})`
      const message = isAddress
        ? `This machine does not have the address LINEAGE_READER_HOST: ${host}.`
        : `Port ${port} ${reason}. Set LINEAGE_READER_PORT to a free one.`
      reject(new SettingError(message))
    })
    server.listen(port, host, resolve)
  })
}
