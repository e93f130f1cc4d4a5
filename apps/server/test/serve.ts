import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { openAccounts } from '../src/accounts/openAccounts.ts'
import { type AppParameters, createApp } from '../src/app.ts'
import { listen } from '../src/listen.ts'
import type { Settings } from '../src/settings.ts'
import { createStartNews, type StartNews } from '../src/startNews.ts'
import { closed, freePort } from './upstream.ts'

export type Served = { url: string; news: StartNews; close: () => Promise<void> }

/** The app behind a real socket. */
export async function serve({
  settings,
  ...parameters
}: Partial<Omit<AppParameters, 'settings'>> & { settings?: Partial<Settings> } = {}): Promise<Served> {
  const news = parameters.news ?? createStartNews()
  const port = await freePort()
  const server = await listen(
    createApp({
      site: null,
      accounts: openAccounts({ kind: 'embedded', directory: null }),
      ...parameters,
      news,
      settings: {
        port,
        apiPort: 1,
        rpcUrls: ['http://127.0.0.1:1'],
        publicRpcUrls: [],
        relayProjectId: null,
        relayUrl: null,
        names: null,
        trustedProxies: 0,
        origins: [`http://127.0.0.1:${port}`],
        sessionSecrets: ['a secret for tests, of thirty-two bytes'],
        accounts: { kind: 'embedded', directory: null },
        webDir: null,
        ...settings,
      },
    }),
    port,
  )
  return { url: `http://127.0.0.1:${port}`, news, close: () => closed(server) }
}

/** Asks without decoding the answer or tidying the path up, as `fetch` would. */
export function ask(
  url: string,
  target: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path: target, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}
