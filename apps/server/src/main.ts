import { openAccounts } from './accounts/openAccounts.ts'
import { createApp } from './app.ts'
import { findConnectionLimit } from './connections.ts'
import { createGate } from './gate.ts'
import { ListenError, listen, stop } from './listen.ts'
import { createLog, describeError, redirectConsole } from './log.ts'
import { createOverload } from './overload.ts'
import { createRedactor } from './redact.ts'
import { readSettings, SettingsError } from './settings.ts'
import { readSite, SiteMissingError } from './site/readSite.ts'
import { createStartupState, type ServerMessage } from './startupState.ts'

try {
  const settings = readSettings(process.env)
  const redact = createRedactor(settings)
  redirectConsole(createLog({ redact }))
  const startup = createStartupState()
  process.on('message', startup.receive)
  const site = settings.webDir === null ? null : await readSite(settings.webDir)
  const accounts = openAccounts(settings.accounts)
  // Opens the database now, so that the first sign-in does not wait for it. The next call tries again.
  const opened = accounts
    .findSession('')
    .catch((error) => console.error(`The accounts' database cannot be opened: ${describeError(error)}.`))
  const overload = createOverload()
  const server = await listen(createApp({ settings, site, startup, accounts, overload }), {
    port: settings.port,
    ...(settings.host !== null && { host: settings.host }),
    connections: { total: findConnectionLimit(), perAddress: settings.trustedProxies === 0 ? 256 : null },
    gate: await createGate(overload, settings.trustedProxies),
  })

  const end = () =>
    void stop(server)
      // The embedded database crashes when it is closed while it opens.
      .then(() => opened)
      .then(accounts.close)
      .catch((error: unknown) => console.error(error))
      .then(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  // The start script has ended, for any reason.
  process.once('disconnect', end)
  process.send?.({ type: 'listening', port: settings.port } satisfies ServerMessage)
  const shownHost = settings.host === null ? 'localhost' : settings.host.replace(/^.*:.*$/, '[$&]')
  console.log(`Listening on http://${shownHost}:${settings.port}`)
} catch (error) {
  const expected = [SettingsError, SiteMissingError, ListenError].some((kind) => error instanceof kind)
  console.error(expected ? (error as Error).message : error)
  process.exit(1)
}
