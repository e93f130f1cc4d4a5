import { createHash } from 'node:crypto'
import { readFileSync, statfsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  type Claim,
  claimDirectory,
  createPgliteDirectory,
  DirectoryInUseError,
  holdsOtherFiles,
} from '@lineage/embedded-database'
import type { UnbindSource } from './config/Community.ts'
import { type Community, ConfigError, loadConfig } from './config/index.ts'
import { listSources } from './config/listSources.ts'
import { toContracts } from './config/toContracts.ts'
import { ExportError, exportHistory } from './exportHistory.ts'
import { forgetChain } from './forgetChain.ts'
import { hideSecretsInOutput } from './hideSecrets.ts'
import { HistoryFileError } from './history/files/HistoryFileError.ts'
import { prepareHistory } from './history/prepareHistory.ts'
import { type OpenedNodes, openNodes, WrongNodeError } from './nodes/openNodes.ts'
import { parseNodeUrl } from './nodes/rpc/parseNodeUrl.ts'
import { serveWaiting } from './nodes/serveWaiting.ts'
import { keepSourcesUnwritten, watchPort } from './ponderInternals.ts'
import { runWithoutVite } from './ponderLoader.ts'
import { preloadPonder, servePonder, startPonder } from './ponderProgram.ts'
import { printAsJson } from './printAsJson.ts'
import { type LastRun, recoverLastRun } from './recoverLastRun.ts'
import { refusePort } from './refusePort.ts'
import { runSchemas } from './runSchemas.ts'
import { describeError } from './src/api/lib/describeError.ts'
import { takeWriterLock } from './takeWriterLock.ts'

const root = import.meta.dirname
const { env } = process
const log = (message: string) => console.log(message)
if (env.LINEAGE_LOG === 'json') printAsJson()
else if (env.LINEAGE_LOG && env.LINEAGE_LOG !== 'text') refuse('LINEAGE_LOG must be text or json.')

/**
 * Role of the process. `serve` starts a replica, which answers from the tables that another indexer fills in the same
 * PostgreSQL. `reread` deletes all data read from the chain, then starts. `schemas` lists the indexes of the
 * PostgreSQL, or removes one. `export` writes the history read from the nodes to a file.
 */
const [command = 'start', ...args] = process.argv.slice(2)
if (!['start', 'serve', 'reread', 'schemas', 'export'].includes(command))
  refuse(
    `Unknown command "${command}": use start, serve for a replica, reread to read everything anew, schemas to list the indexes, or export to write the history to a file.`,
  )
const role = command === 'serve' ? 'serve' : 'start'
if (role === 'serve' && !env.DATABASE_URL)
  refuse('A replica needs DATABASE_URL: only one process can open the embedded database.')

/** URLs of the nodes; none for roles that send no requests to nodes. */
const urls = role === 'serve' || ['schemas', 'export'].includes(command) ? [] : readUrls()
hideSecretsInOutput([...urls, env.DATABASE_URL ?? ''])
if (env.DATABASE_URL && !isDatabaseUrl(env.DATABASE_URL))
  refuse(
    'DATABASE_URL is not a URL of PostgreSQL: write postgres://user:password@host/database, special characters as %40.',
  )

const { communities } = await loadConfig(env.LINEAGE_CONFIG).catch((error: unknown) => {
  if (!(error instanceof ConfigError)) throw error
  refuse(`The configuration is invalid.\n${error.message}`)
})
const schema = toSchemaName(communities)
const communityIds = communities.map(({ id }) => id)
if (command === 'schemas') await manageSchemas()
if (command === 'export') await writeHistory()
// PORT belongs to the server in front. Ponder would prefer it over its own --port.
const port = readPort()
env.PORT = String(port)
await runWithoutVite(root)
const lastRun = await prepareDatabase()

const opened = role === 'serve' ? undefined : await openAll()
// Ponder requires a URL, but sends no request to it in a replica.
env.LINEAGE_NODES_URL = opened?.url ?? 'http://127.0.0.1:1'

const maxAge = env.LINEAGE_MAX_AGE || '60'
if (!/^\d{1,9}$/.test(maxAge)) refuse('LINEAGE_MAX_AGE must be a number of seconds, or 0 for no limit.')
env.LINEAGE_MAX_AGE = maxAge
env.LINEAGE_POLL_INTERVAL ||= urls.every(isLocal) ? '200' : '600'
if (!/^\d{3,5}$/.test(env.LINEAGE_POLL_INTERVAL) || Number(env.LINEAGE_POLL_INTERVAL) > 20_000)
  refuse('LINEAGE_POLL_INTERVAL must be a number of milliseconds between 100 and 20000.')
env.DATABASE_SCHEMA = schema
env.LINEAGE_ROLE = role
env.PONDER_TELEMETRY_DISABLED = '1'
keepSourcesUnwritten()
watchPort(() => refusePort(port))
if (!opened) await servePonder(root)
else
  await startPonder(root, (store) =>
    prepareHistory({ store, nodes: opened.nodes, files: env.LINEAGE_HISTORY || undefined, port, log }).catch(
      (error: unknown) => {
        if (error instanceof HistoryFileError) refuse(`The files of LINEAGE_HISTORY cannot be used.\n${error.message}`)
        console.error(`The history could not be saved: ${describeError(error)}`)
        process.exit(75)
      },
    ),
  )

/**
 * Returns the name of the schema, derived from the configuration and the handlers, because Ponder refuses tables of
 * another configuration. Includes the names of arguments: rows depend on them, and Ponder does not know them.
 */
function toSchemaName(communities: readonly Community[]): string {
  const sources = communities.map((community) => [
    community.id,
    ...Object.values(listSources(community)).map(argumentsOf),
  ])
  const identity = createHash('sha256').update(JSON.stringify([toContracts(communities), sources]))
  for (const file of ['ponder.schema.ts', 'src/index.ts']) identity.update(readFileSync(join(root, file)))
  return `lineage_${identity.digest('hex').slice(0, 12)}`
}

/** Returns the names of the event arguments that are stored in rows. */
function argumentsOf(
  sources: readonly (UnbindSource & { [name in 'referrer' | 'amount' | 'from']?: string | undefined })[],
) {
  return sources.map(({ member, referrer, amount, from }) =>
    [member, referrer, amount, from].map((name) => name ?? null),
  )
}

function openAll(): Promise<OpenedNodes> {
  return openNodes({ urls, communities, ...lastRun, port, log }).catch((error: unknown) => {
    if (!(error instanceof WrongNodeError)) throw error
    refuse(`The nodes cannot be used.\n${error.message}`)
  })
}

/** Lists or removes indexes, then exits. */
async function manageSchemas(): Promise<never> {
  const { DATABASE_URL: url } = env
  if (!url)
    refuse(
      'schemas needs DATABASE_URL. To free the space of earlier configurations in an embedded database, delete its folder. The indexer then reads the chain again.',
    )
  const refusal = await runSchemas({ url, current: schema, args, log }).catch((error: unknown) => describeError(error))
  if (refusal !== undefined) refuse(refusal)
  process.exit(0)
}

/** Writes the history to a file, then exits. */
async function writeHistory(): Promise<never> {
  const [file, ...rest] = args
  if (file === undefined || rest.length > 0) refuse('Say which file to write: export history.csv.')
  const { DATABASE_URL: url } = env
  const directory = indexDirectory()
  if (!url && (await claimAlone(directory)) === 'empty') refuse(`There is no index in ${directory}.`)
  const written = await exportHistory({
    database: url ? { url } : { directory },
    schema,
    communities,
    file: resolve(file),
  }).catch((error: unknown) => refuse(error instanceof ExportError ? error.message : describeError(error)))
  log(`${written.logs} logs up to block ${written.block} were written to ${file}. LINEAGE_HISTORY reads it.`)
  process.exit(0)
}

/** Prepares the database for Ponder. Returns the state that the last run left. */
async function prepareDatabase(): Promise<LastRun> {
  if (role === 'serve') return { knownBlocks: [] }
  const { DATABASE_URL: url } = env
  return url ? preparePostgres(url) : prepareDirectory(indexDirectory())
}

function indexDirectory(): string {
  return resolve(env.LINEAGE_INDEX_DIR || join(root, '.ponder/pglite'))
}

async function preparePostgres(url: string): Promise<LastRun> {
  if (command === 'reread') await forget({ url })
  let waiting: ReturnType<typeof serveWaiting> | undefined
  await takeWriterLock({
    url,
    schema,
    onWaiting() {
      const note = 'Another indexer writes to this database. This one is a standby: it takes over when the other ends.'
      log(note)
      waiting = serveWaiting(port, () => ({ code: 'standby', warnings: [], note }))
      void preloadPonder()
    },
    onLost() {
      console.error('The connection that kept other writers out was lost, and another indexer has taken over.')
      process.exit(75)
    },
  }).catch((error: unknown) => {
    // Ponder would wait and retry; a supervisor does that instead.
    console.error(`The database at DATABASE_URL cannot be used: ${describeError(error)}.`)
    process.exit(75)
  })
  if (waiting) log('The other indexer has ended: this one takes over.')
  await waiting?.close()
  return recoverLastRun({ database: { url }, schema, communities: communityIds })
}

async function prepareDirectory(directory: string): Promise<LastRun> {
  env.LINEAGE_INDEX_DIR = directory
  const left = await claimAlone(directory)
  if (command === 'reread') await forget({ directory })
  if (left === 'killed') log('The last indexer was killed: its lock is released.')
  if (left !== 'empty' && command === 'start')
    return recoverLastRun({ database: { directory }, schema, communities: communityIds })
  await createPgliteDirectory(directory).catch((error: Error) => {
    const { bavail, bsize } = statfsSync(dirname(directory))
    const free = Math.floor((bavail * bsize) / 1e6)
    console.error(
      `The index cannot be created in ${directory} (${error.message}). ${free} MB are free there; it needs 60.`,
    )
    process.exit(75)
  })
  return { knownBlocks: [] }
}

/**
 * Returns whether the PostgreSQL driver can read a URL. The driver's own error would contain the URL, and the driver
 * takes a text without a scheme for the name of a database.
 */
function isDatabaseUrl(text: string): boolean {
  return (
    /^(postgres(ql)?:\/\/|socket:|\/(?!\/))/i.test(text) &&
    URL.canParse(text.replace('@/', '@host/'), 'postgres://host')
  )
}

function readPort(): number {
  const text = env.API_PORT || '42069'
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse(`API_PORT is "${text}": it must be from 1 to 65535.`)
  return port
}

/**
 * Claims the directory of an embedded database, or exits, also if it holds other files, which `reread` would delete.
 * Returns the state in which the last process left it.
 */
async function claimAlone(directory: string): Promise<Claim['left']> {
  try {
    const claim = await claimDirectory(directory, () => {
      console.error(
        `${directory} was deleted, or another indexer uses it now. This process ends; the next start reads the chain again.`,
      )
      process.exit(75)
    })
    if (holdsOtherFiles(directory)) refuse(otherFiles(directory))
    return claim.left
  } catch (error) {
    if (error instanceof DirectoryInUseError) {
      console.error(`Another indexer (process ${error.holder}) uses ${directory}. Stop it first.`)
      process.exit(75)
    }
    const reason = (error as Error).message
    refuse(
      `The index cannot be stored in ${directory} (${reason}). Set LINEAGE_INDEX_DIR to a folder that this process may write to, or use DATABASE_URL.`,
    )
  }
}

async function forget(database: Parameters<typeof forgetChain>[0]): Promise<void> {
  const outcome = await forgetChain(database).catch((error: Error) =>
    refuse(
      `The index cannot be opened, and cannot be renamed either (${error.message}). Empty its folder, and start again.`,
    ),
  )
  if (outcome === 'other_data') refuse(otherFiles(indexDirectory()))
  if (outcome === 'in_use') {
    console.error('Another indexer writes to this database. Stop it first.')
    process.exit(75)
  }
  if (typeof outcome === 'object')
    log(`The index cannot be opened. It is kept at ${outcome.keptAt}: delete that folder if it is not needed.`)
  else log('All data read from the chain was deleted. It is read again now.')
}

function otherFiles(directory: string): string {
  return `${directory} holds something else than an index. Set LINEAGE_INDEX_DIR to a folder of its own.`
}

/** Returns whether a node is on this machine, where requests cost nothing. */
function isLocal(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(url)?.hostname ?? '')
}

function readUrls(): string[] {
  const urls = (env.LINEAGE_RPC_URLS ?? '').split(',').flatMap((url) => url.trim() || [])
  if (urls.length === 0) refuse('LINEAGE_RPC_URLS is not set: list the nodes to read the chain from.')
  const wrong = urls.findIndex((url, index) => !parseNodeUrl(url, index + 1))
  if (wrong >= 0) refuse(`LINEAGE_RPC_URLS: address ${wrong + 1} is not an http or https URL.`)
  return urls
}

function refuse(message: string): never {
  console.error(message)
  process.exit(1)
}
