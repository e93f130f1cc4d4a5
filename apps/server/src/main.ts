import { openAccounts } from './accounts/openAccounts.ts'
import { createApp } from './app.ts'
import { listen, PortTakenError, stop } from './listen.ts'
import { readSettings, SettingsError } from './settings.ts'
import { readSite, SiteMissingError } from './site.ts'
import { createStartNews, type ServerMessage } from './startNews.ts'

try {
  const settings = readSettings(process.env)
  const news = createStartNews()
  process.on('message', news.receive)
  const site = settings.webDir === null ? null : await readSite(settings.webDir)
  const accounts = openAccounts(settings.accounts)
  // Opened before somebody signs in, who would wait for it; what fails is said then, and tried again.
  const opened = accounts.findSession('').catch(() => undefined)
  const server = await listen(createApp({ settings, site, news, accounts }), settings.port)

  const end = () =>
    void stop(server)
      // Closed in the middle of a question, the embedded database would fall over.
      .then(() => opened)
      .then(accounts.close)
      .catch((error: unknown) => console.error(error))
      .then(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  // The start script is gone, however it went.
  process.once('disconnect', end)
  process.send?.({ type: 'listening', port: settings.port } satisfies ServerMessage)
  console.log(`Listening on http://localhost:${settings.port}`)
} catch (error) {
  const expected = [SettingsError, SiteMissingError, PortTakenError].some((kind) => error instanceof kind)
  console.error(expected ? (error as Error).message : error)
  process.exit(1)
}
