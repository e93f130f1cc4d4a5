import { openAccounts } from './accounts/openAccounts.ts'
import { createAlerts } from './alerts/createAlerts.ts'
import { createApp } from './app.ts'
import { findConnectionLimit, mostConnectionsPerAddress } from './http/connections.ts'
import { createGate } from './http/gate.ts'
import { ListenError, listen, stop } from './http/listen.ts'
import { createIndexers } from './indexer/createIndexers.ts'
import { createLog, redirectConsole, summarizeError } from './lib/log.ts'
import { createLive } from './live/createLive.ts'
import { createOverload } from './load/overload.ts'
import { listenMetrics } from './monitoring/listenMetrics.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { createObserve, createRequestLog, type Observe, type ObserveParameters } from './monitoring/observe.ts'
import { createRedactor } from './settings/redact.ts'
import { readSettings, type Settings, SettingsError } from './settings/settings.ts'
import { createStartupState, type ServerMessage } from './settings/startupState.ts'
import { findUnknownVariables } from './settings/unknownVariables.ts'
import { readSite, SiteMissingError } from './site/readSite.ts'

try {
  const settings = readSettings(process.env)
  startLog(settings)
  for (const line of findUnknownVariables(process.env)) console.warn(line)
  const startup = createStartupState()
  process.on('message', startup.receive)
  const site = settings.webDir === null ? null : await readSite(settings.webDir)
  const accounts = openAccounts(settings.accounts)
  // Opens the database now, so that the first sign-in does not wait for it. On failure the next call tries again.
  const opened = accounts
    .findSession('')
    .catch((error) => console.error(`The accounts' database cannot be opened: ${summarizeError(error)}.`))
  const indexers = createIndexers({ urls: settings.indexers })
  const overload = createOverload({ indexers: indexers.count })
  const live = createLive({ indexers })
  const metrics = settings.metrics ? (await import('./monitoring/metrics.ts')).createMetrics() : undefined
  const alerts = createAlerts({ accounts, indexers, live, settings, metrics })
  void opened.then(alerts.start)
  const app = createApp({ settings, site, startup, accounts, overload, indexers, live, alerts, metrics })
  const server = await listen(app, {
    port: settings.port,
    ...(settings.host !== null && { host: settings.host }),
    connections: {
      total: settings.connections ?? findConnectionLimit(),
      perAddress: settings.trustedProxies === 0 ? mostConnectionsPerAddress : null,
    },
    gate: await createGate(overload, settings.trustedProxies),
    observe: observeFor(settings, metrics),
  })
  const metricsServer =
    metrics && settings.metrics && listenMetrics(metrics, { ...settings.metrics, indexers: settings.indexers })

  const end = () => {
    metricsServer?.close()
    metricsServer?.closeAllConnections()
    const alertsClosed = alerts.close()
    live.close()
    indexers.close()
    void stop(server)
      // The embedded database crashes if it is closed while it is opening.
      .then(() => Promise.all([opened, alertsClosed]))
      .then(accounts.close)
      .catch((error: unknown) => console.error(error))
      .then(() => process.exit(0))
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  // The start script has ended.
  process.once('disconnect', end)
  process.send?.({ type: 'listening', port: settings.port } satisfies ServerMessage)
  const shownHost = settings.host === null ? 'localhost' : settings.host.replace(/^.*:.*$/, '[$&]')
  console.log(`Listening on http://${shownHost}:${settings.port}`)
} catch (error) {
  const expected = [SettingsError, SiteMissingError, ListenError].some((kind) => error instanceof kind)
  console.error(expected ? (error as Error).message : error)
  process.exit(1)
}

/** Sends all output through the log. As JSON, all of it goes to standard output. */
function startLog(settings: Settings): void {
  const redact = createRedactor(settings)
  if (settings.log === 'text') {
    redirectConsole(createLog({ redact }))
    return
  }
  const log = createLog({ redact, format: 'json', write: writeLine })
  redirectConsole(log)
  console.log = (message: string) => log(message, 'info')
}

/** Returns the function that observes requests for the metrics and the log; `undefined` if neither is on. */
function observeFor(settings: Settings, metrics: Metrics | undefined): Observe | undefined {
  const requestLog = settings.log === 'json' ? createRequestLog(settings, writeLine) : undefined
  const notes = [requestLog, metrics?.noteRequest].filter(
    (note): note is ObserveParameters['note'] => note !== undefined,
  )
  if (notes.length === 0) return undefined
  return createObserve({
    trustedProxies: settings.trustedProxies,
    note(request) {
      for (const note of notes) note(request)
    },
  })
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
