/** `npm start` and `pnpm dev`: run the whole product on this machine. `.env.example` explains the variables. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, findUnknownVariables, loadConfig } from '@lineage/communities'
import { PostgresStartError } from '@lineage/database/embedded'
import { SettingsError } from '../apps/server/src/settings/settings.ts'
import { checkNodes, NodesError } from './lib/checkNodes.ts'
import { DataDirError, dataDir } from './lib/dataDir.ts'
import { nextFree, type PortUse, portsMessage } from './lib/ports.ts'
import { readStartSettings } from './lib/startSettings.ts'
import { createTerminal } from './lib/terminal.ts'
import { configureContract } from './start/configureContract.ts'
import { createProcesses, type Product, StartError } from './start/createProcesses.ts'
import { buildPage, startVite } from './start/pages.ts'
import { runDemo } from './start/runDemo.ts'
import { runServices } from './start/runServices.ts'
import { startDatabase } from './start/startDatabase.ts'

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
  const words = process.argv.slice(2)
  const settings = readStartSettings(
    process.env,
    words.filter((word) => word !== '--dev'),
  )
  const data = dataDir(settings.dataDir, settings.port)
  const mode = words.includes('--dev') ? 'dev' : 'built'
  const product: Product = {
    mode,
    settings,
    url: `http://localhost:${settings.port}`,
    serverPort:
      mode === 'dev' ? await nextFree(settings.port + 1, [settings.readerPort, settings.rpcPort]) : settings.port,
    data,
    terminal,
    processes,
  }
  await checkPorts(product)
  await data.claim()
  processes.add({ stop: data.release })
  for (const line of findUnknownVariables(process.env)) terminal.line(line)
  if (mode === 'dev') startVite(product, fail)
  const prepared = prepare(product)
  // Also awaited below, where the demo chain may fail first.
  prepared.catch(() => undefined)
  if (settings.source === 'demo') await runDemo(product, prepared, () => ending !== undefined)
  else await runChain(product, prepared)
}

async function prepare(product: Product): Promise<{ databaseUrl: string }> {
  const [databaseUrl] = await Promise.all([startDatabase(product), buildPage(product)])
  return { databaseUrl }
}

/** Serves the communities of a configuration, after checking it and its nodes, or making it of a contract. */
async function runChain(product: Product, prepared: Promise<{ databaseUrl: string }>): Promise<void> {
  const { configPath, rpcUrls, contract } = product.settings
  if (!contract) await loadConfig(configPath)
  else if (process.env.LINEAGE_CONFIG?.trim())
    terminal.line('LINEAGE_CONFIG is not used: the command names a contract.')
  const silent = await checkNodes(rpcUrls)
  if (silent.length > 0) terminal.line(`No answer from ${silent.join(', ')}; going on with the other nodes`)
  if (contract) await configureContract(product, contract)
  runServices(product, { ...(await prepared), env: contract ? { LINEAGE_COMMUNITIES: '' } : {} })
}

/** Checks that the ports are free. @throws {StartError} when one is taken */
async function checkPorts({ settings, data, url }: Product): Promise<void> {
  const claimant = await data.claimant()
  const uses: PortUse[] = [
    { variable: 'PORT', port: settings.port, purpose: 'the page' },
    { variable: 'LINEAGE_READER_PORT', port: settings.readerPort, purpose: 'the reader’s health' },
  ]
  if (settings.source === 'demo') uses.push({ variable: 'RPC_PORT', port: settings.rpcPort, purpose: 'the demo chain' })
  const message = await portsMessage(uses)
  if (message === undefined) return
  const known = claimant
    ? `Lineage already runs here: process ${claimant.pid}, since ${claimant.since}, at ${url}.\nEnd it with Ctrl-C in its terminal or \`kill ${claimant.pid}\`, or start another beside it.\n`
    : ''
  throw new StartError(known + message)
}

function fail(error: unknown): void {
  const expected = [StartError, SettingsError, ConfigError, NodesError, DataDirError, PostgresStartError]
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
