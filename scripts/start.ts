/** `npm start` and `pnpm dev`: run the whole product on this machine. `.env.example` explains the variables. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../apps/indexer/config/index.ts'
import { checkDatabase } from '../apps/server/src/database/checkDatabase.ts'
import { SettingsError } from '../apps/server/src/settings/settings.ts'
import { findUnknownVariables } from '../apps/server/src/settings/unknownVariables.ts'
import { NodesError } from './lib/checkNodes.ts'
import { DataDirError, dataDir } from './lib/dataDir.ts'
import { readStartSettings } from './lib/startSettings.ts'
import { createTerminal } from './lib/terminal.ts'
import { checkPorts } from './start/checkPorts.ts'
import { createNews } from './start/createNews.ts'
import { createProcesses } from './start/createProcesses.ts'
import { indexChain } from './start/indexChain.ts'
import type { Product } from './start/product.ts'
import { runDemo } from './start/runDemo.ts'
import { StartError } from './start/StartError.ts'
import { servePages } from './start/servePages.ts'

process.chdir(join(import.meta.dirname, '..'))
if (existsSync('.env')) process.loadEnvFile('.env')

const terminal = createTerminal()
const processes = createProcesses(terminal, fail)
let ending: Promise<never> | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void end(0, `Ending (${signal}) …`))
// The command that started this process has ended, for any reason.
process.once('disconnect', () => void end(0, 'Ending with the command that started it …'))
process.once('unhandledRejection', fail)

main().catch(fail)

async function main() {
  const settings = readStartSettings(process.env)
  const data = dataDir(settings.dataDir, settings.port)
  const product: Product = {
    mode: process.argv.includes('--dev') ? 'dev' : 'built',
    settings,
    url: `http://localhost:${settings.port}`,
    data,
    terminal,
    processes,
    news: createNews(),
  }
  await checkPorts(product)
  await data.claim()
  processes.add({ stop: data.release })
  for (const line of findUnknownVariables(process.env)) terminal.line(line)
  const { source, accounts } = settings
  if (source.kind === 'chain' && accounts.kind === 'postgres') await requireDatabase(accounts.url)
  await Promise.all([
    servePages(product, fail),
    source.kind === 'demo' ? runDemo(product, () => ending !== undefined) : indexChain(product, source.configFile),
  ])
}

/** Checks the accounts' database. @throws {StartError} if the user must fix it */
async function requireDatabase(url: string): Promise<void> {
  const found = await checkDatabase(url)
  if (found.status === 'refused')
    throw new StartError(`DATABASE_URL cannot be used. PostgreSQL says: ${found.message}.`)
  if (found.status === 'silent')
    terminal.line(`PostgreSQL does not answer yet: ${found.message}. Starting nevertheless.`)
}

function fail(error: unknown): void {
  const expected = [StartError, SettingsError, ConfigError, NodesError, DataDirError]
  const isExpected = expected.some((kind) => error instanceof kind)
  void end(1, isExpected ? (error as Error).message : `Lineage failed: ${error instanceof Error ? error.stack : error}`)
}

/** Ends all processes, once. */
function end(code: 0 | 1, words: string): Promise<never> {
  ending ??= (async () => {
    terminal.end()
    terminal.line(words)
    await processes.stopAll()
    process.exit(code)
  })()
  return ending
}
