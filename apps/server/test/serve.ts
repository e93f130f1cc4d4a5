import { randomUUID } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { openPool } from '@lineage/database'
import type { Address } from '@lineage/referral-api'
import { inject, vi } from 'vitest'
import { waitLimit } from '../../../scripts/vitest/limits.ts'
import { openAccounts } from '../src/accounts/openAccounts.ts'
import { type AlertsParameters, createAlerts } from '../src/alerts/createAlerts.ts'
import { type AppParameters, createApp } from '../src/app.ts'
import { createIndex } from '../src/follow/createIndex.ts'
import { createCommunities, createTestTables, type TestStep, type TestTables } from '../src/follow/test/tables.ts'
import { listen } from '../src/http/listen.ts'
import { createLive, type LiveParameters } from '../src/live/createLive.ts'
import type { Index } from '../src/lookups/Index.ts'
import type { Settings } from '../src/settings/settings.ts'
import { closed, closedPort, portOf } from './upstream.ts'

/** Creates an empty database and returns its URL. */
export async function createDatabase(): Promise<string> {
  const url = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const pool = openPool({ url, max: 1 })
  await pool.query(`create database ${name}`)
  await pool.end()
  return url.replace(/postgres$/, name)
}

/** Creates schemas and a role that may use and fill them, but create none. Returns the URL of the database for that role. */
export async function createTenant(url: string, ...schemas: string[]): Promise<string> {
  const [pool, role] = [openPool({ url, max: 1 }), `tenant_${randomUUID().replaceAll('-', '')}`]
  await pool.query(`create role ${role} login password 'word'`)
  for (const schema of schemas)
    await pool.query(`create schema ${schema}; grant usage, create on schema ${schema} to ${role}`)
  await pool.end()
  return url.replace(/\/\/.*@/, `//${role}:word@`)
}

/** The community of the tests. */
const communities = createCommunities('demo')

type Database = { url: string; tables: TestTables; index: Index }

/** Creates a database whose tables have a step of the community, or none, and an index that follows them. */
async function openIndex(step: TestStep | null): Promise<Database> {
  const url = await createDatabase()
  const tables = await createTestTables(url, communities)
  if (step) await tables.step('demo', step)
  return { url, tables, index: await followTables(url, step ? 'ready' : 'starting') }
}

async function followTables(url: string, state: 'ready' | 'starting'): Promise<Index> {
  const index = createIndex({ communities, databaseUrl: url, maxAge: 0, log: () => undefined })
  if (state === 'ready') await vi.waitUntil(() => index.stateOf('demo') !== undefined, { timeout: waitLimit })
  return index
}

/** A database and an index for all servers that need no events, because a thread takes long to start. */
let shared: Promise<Database> | undefined

export type Served = Awaited<ReturnType<typeof serve>>
export type ServeParameters = Partial<Omit<AppParameters, 'settings' | 'index' | 'live' | 'alerts'>> & {
  settings?: Partial<Settings>
  /** Tables of its own for the server; `null` without the community. By default, the community is empty. */
  step?: TestStep | null
  /** The database of another server. */
  database?: Pick<Database, 'url' | 'tables'>
  live?: Omit<LiveParameters, 'index'>
  /** Starts the jobs of alerts. */
  jobs?: Pick<AlertsParameters, 'firstRetry' | 'patience' | 'interval' | 'pollingInterval'>
}

function chooseDatabase(step: ServeParameters['step'], joined: ServeParameters['database']): Promise<Database> {
  if (joined) return followTables(joined.url, 'ready').then((index) => ({ ...joined, index }))
  if (step !== undefined) return openIndex(step)
  shared ??= openIndex({ block: 100 })
  return shared
}

/** Serves the app on a free port, with an index and accounts on a real database, without nodes. */
export async function serve({ settings, database, step, jobs, live: ofLive, ...given }: ServeParameters = {}) {
  const isShared = step === undefined && !database
  const { url, tables, index } = await chooseDatabase(step, database)
  let app: ReturnType<typeof createApp>
  // The app needs its origin, and so its port, which is known once the server listens.
  const server = await listen(
    { fetch: (...request) => app.fetch(...request), admit: (...request) => app.admit(...request) },
    { port: 0 },
  )
  const origin = `http://127.0.0.1:${portOf(server)}`
  const all = { ...defaultSettings, port: portOf(server), origins: [origin] as [string], databaseUrl: url, ...settings }
  const accounts = given.accounts ?? openAccounts(url)
  const live = createLive({ index, ...ofLive })
  const alerts = createAlerts({ accounts, index, settings: all, metrics: given.metrics, ...jobs })
  app = createApp({ site: null, ...given, accounts, index, live, alerts, settings: all })
  if (jobs) await alerts.start()
  return {
    url: origin,
    database: { url, tables },
    tables,
    index,
    live,
    accounts,
    async close() {
      live.close()
      await Promise.all([closed(server), alerts.close()])
      if (!given.accounts) await (accounts as ReturnType<typeof openAccounts>).close()
      if (!isShared) await index.close()
      if (!isShared && !database) await tables.close()
    },
  }
}

/** Deletes accounts of the shared database. */
export async function removeAccounts(...of: Address[]): Promise<void> {
  const { accounts, close } = await serve()
  for (const account of of) await accounts.removeAccount(account)
  await close()
}

const defaultSettings = {
  host: null,
  connections: null,
  lookupsPerSecond: 60,
  rpcPerSecond: 20,
  configPath: '',
  communities: null,
  maxAge: 0,
  demo: null,
  rpcUrls: [`http://127.0.0.1:${closedPort}`],
  publicRpcUrls: [],
  relayProjectId: null,
  relayUrl: null,
  nameService: null,
  trustedProxies: 0,
  sessionSecrets: ['a secret for tests, of thirty-two bytes'],
  mcp: 'on',
  webhooks: 'any',
  log: 'text',
  logVisitors: 'no',
  metrics: null,
  webDir: null,
} satisfies Partial<Settings>

/** Sends a request, and returns the first part of a stream. Unlike `fetch`, it neither decodes nor normalizes. */
export function ask(
  url: string,
  target: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path: target, method, headers }, (response) => {
      const chunks: Buffer[] = []
      const finish = () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      const isEndless = response.headers['content-type'] === 'text/event-stream' && target.startsWith('/v1/')
      response.on('error', reject)
      response.on('end', finish)
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (!isEndless) return
        finish()
        response.destroy()
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}
