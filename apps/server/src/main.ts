import { ConfigError, findUnknownVariables, loadConfig } from '@lineage/communities'
import { checkDatabase } from '@lineage/database'
import { openAccounts } from './accounts/openAccounts.ts'
import { createAlerts } from './alerts/createAlerts.ts'
import { createApp } from './app.ts'
import { serverSchemas, summarizeFault } from './database/database.ts'
import { createIndex } from './follow/createIndex.ts'
import { findConnectionLimit, ListenError, listen, stop } from './http/listen.ts'
import { createLog, redirectConsole } from './lib/log.ts'
import { createLive } from './live/createLive.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { createRequestLog, type ObserveParameters } from './monitoring/observe.ts'
import { createSettingsRedactor, readSettings, type Settings, SettingsError } from './settings/settings.ts'
import { readSite, SiteMissingError } from './site/site.ts'

/** End the threads that were started. */
const threads: (() => Promise<void>)[] = []

try {
  const settings = readSettings(process.env)
  startLog(settings)
  for (const line of findUnknownVariables(process.env)) console.warn(line)
  const communities = await loadCommunities(settings)
  const site = settings.webDir === null ? null : await readSite(settings.webDir)
  if (site?.renderer) threads.push(site.renderer.close)
  const { databaseUrl, maxAge } = settings
  // A database that does not answer yet is waited for.
  const database = await checkDatabase(databaseUrl, serverSchemas)
  if (database.status === 'refused') throw new SettingsError(database.message)
  const index = createIndex({ communities, databaseUrl, maxAge })
  threads.push(index.close)
  const accounts = openAccounts(databaseUrl)
  // Creates the tables now, so that the first sign-in does not wait for them. On failure the next call tries again.
  void accounts
    .findSession('')
    .catch((error) => console.error(`The accounts' database cannot be opened: ${summarizeFault(error)}.`))
  const live = createLive({ index })
  const monitoring = settings.metrics ? await import('./monitoring/metrics.ts') : undefined
  const metrics = monitoring?.createMetrics()
  const alerts = createAlerts({ accounts, index, settings, metrics })
  void alerts.start()
  const app = createApp({ settings, site, accounts, index, live, alerts, metrics, note: noteFor(settings, metrics) })
  const server = await listen(app, {
    port: settings.port,
    ...(settings.host !== null && { host: settings.host }),
    connections: settings.connections ?? findConnectionLimit(),
  })
  const metricsServer = metrics && settings.metrics ? monitoring?.listenMetrics(metrics, settings.metrics) : undefined

  const end = () => {
    metricsServer?.close()
    metricsServer?.closeAllConnections()
    const alertsClosed = alerts.close()
    live.close()
    void stop(server)
      .then(() => Promise.all([alertsClosed, ...threads.map((close) => close())]))
      .then(accounts.close)
      .catch((error: unknown) => console.error(error))
      .then(() => process.exit(0))
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  // The start script has ended.
  process.once('disconnect', end)
  process.send?.({ type: 'listening', port: settings.port })
  const shownHost = settings.host === null ? 'localhost' : settings.host.replace(/^.*:.*$/, '[$&]')
  console.log(`Listening on http://${shownHost}:${settings.port}`)
} catch (error) {
  const expected = [SettingsError, ConfigError, SiteMissingError, ListenError].some((kind) => error instanceof kind)
  const introduction = error instanceof ConfigError ? 'The configuration of LINEAGE_CONFIG cannot be used.\n' : ''
  // The log makes one line of each message.
  const lines = expected ? `${introduction}${(error as Error).message}`.split('\n') : [error]
  for (const line of lines) console.error(line)
  await Promise.all(threads.map((close) => close()))
  process.exit(1)
}

/** Returns the communities of the configuration that this server holds. @throws {ConfigError | SettingsError} */
async function loadCommunities({ configPath, communities }: Settings) {
  const config = await loadConfig(configPath)
  const unknown = communities?.filter((id) => !config.communities.some((one) => one.id === id)) ?? []
  if (unknown.length > 0)
    throw new SettingsError(
      `LINEAGE_COMMUNITIES names communities that ${configPath} does not have: ${unknown.join(', ')}.`,
    )
  return config.communities.filter(({ id }) => communities?.includes(id) ?? true)
}

/** Sends all output through the log. As JSON, all of it goes to standard output. */
function startLog(settings: Settings): void {
  const redact = createSettingsRedactor(settings)
  if (settings.log === 'text') {
    redirectConsole(createLog({ redact }))
    return
  }
  const log = createLog({ redact, format: 'json', write: writeLine })
  redirectConsole(log)
  console.log = (message: string) => log(message, 'info')
}

/** Returns the function that notes requests for the metrics and the log; `undefined` if neither is on. */
function noteFor(settings: Settings, metrics: Metrics | undefined): ObserveParameters['note'] | undefined {
  const requestLog = settings.log === 'json' ? createRequestLog(settings, writeLine) : undefined
  const notes = [requestLog, metrics?.noteRequest].filter((note) => note !== undefined)
  if (notes.length === 0) return undefined
  return (request) => {
    for (const note of notes) note(request)
  }
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
