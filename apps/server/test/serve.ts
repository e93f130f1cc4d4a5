import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { Address } from '@lineage/referral-api'
import { type Accounts, openAccounts } from '../src/accounts/openAccounts.ts'
import { type AlertsParameters, createAlerts } from '../src/alerts/createAlerts.ts'
import { type AppParameters, createApp } from '../src/app.ts'
import { createGate } from '../src/http/gate.ts'
import { listen } from '../src/http/listen.ts'
import { createIndexers } from '../src/indexer/createIndexers.ts'
import { createLive } from '../src/live/createLive.ts'
import { createOverload } from '../src/load/overload.ts'
import type { Observe } from '../src/monitoring/observe.ts'
import type { Settings } from '../src/settings/settings.ts'
import { createStartupState, type StartupState } from '../src/settings/startupState.ts'
import { closed, closedPort, portOf } from './upstream.ts'

let opened: Accounts | undefined
/** Returns accounts shared by the tests of a file, because a database takes long to start. */
const shareAccounts = () => (opened ??= openAccounts({ kind: 'embedded', directory: null }))

/** Deletes the given accounts, and returns the shared storage. */
export async function emptyAccounts(...of: Address[]): Promise<Accounts> {
  const accounts = shareAccounts()
  for (const account of of) await accounts.removeAccount(account)
  return accounts
}

export type Served = { url: string; startup: StartupState; close: () => Promise<void> }

/** Serves the app on a free port, without indexer and nodes unless `settings` name them. */
export async function serve({
  settings,
  observe,
  retries,
  ...parameters
}: Partial<Omit<AppParameters, 'settings'>> & {
  settings?: Partial<Settings>
  observe?: Observe
  retries?: Pick<AlertsParameters, 'firstRetry' | 'patience'>
} = {}): Promise<Served> {
  const startup = parameters.startup ?? createStartupState()
  let app: ReturnType<typeof createApp>
  // A slow machine must not count as load on the server.
  const overload = parameters.overload ?? createOverload({ readDelay: () => 0 })
  const gate = await createGate(overload, settings?.trustedProxies ?? 0)
  // The app needs its origin, and so its port, which is known once the server listens.
  const server = await listen({ fetch: (...request) => app.fetch(...request) }, { port: 0, gate, observe })
  const url = `http://127.0.0.1:${portOf(server)}`
  const urls = settings?.indexers ?? [`http://127.0.0.1:${closedPort}`]
  const indexers = parameters.indexers ?? createIndexers({ urls })
  const live = parameters.live ?? createLive({ indexers })
  const accounts = parameters.accounts ?? shareAccounts()
  const { metrics } = parameters
  const origins = settings?.origins ?? [url]
  const webhooks = settings?.webhooks ?? 'any'
  const alerts =
    parameters.alerts ??
    createAlerts({ accounts, indexers, live, settings: { origins, webhooks }, metrics, ...retries })
  // Only tests with accounts need their database.
  if (parameters.accounts) alerts.start()
  app = createApp({
    site: null,
    ...parameters,
    accounts,
    alerts,
    overload,
    indexers,
    live,
    startup,
    settings: {
      port: portOf(server),
      host: null,
      connections: null,
      lookupsPerSecond: 60,
      rpcPerSecond: 20,
      apiPort: closedPort,
      indexers: urls,
      rpcUrls: [`http://127.0.0.1:${closedPort}`],
      publicRpcUrls: [],
      relayProjectId: null,
      relayUrl: null,
      nameService: null,
      trustedProxies: 0,
      origins: [url],
      sessionSecrets: ['a secret for tests, of thirty-two bytes'],
      accounts: { kind: 'embedded', directory: null },
      mcp: 'on',
      webhooks,
      log: 'text',
      logVisitors: 'no',
      metrics: null,
      webDir: null,
      ...settings,
    },
  })
  return {
    url,
    startup,
    close: async () => {
      const alertsClosed = alerts.close()
      live.close()
      indexers.close()
      await closed(server)
      await alertsClosed
      overload.close()
    },
  }
}

/** Sends a request. Unlike `fetch`, it neither decodes the response nor normalizes the path. */
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
