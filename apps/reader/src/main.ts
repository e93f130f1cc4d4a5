import { dirname, resolve } from 'node:path'
import { type Community, ConfigError, findUnknownVariables, loadConfig, sourceIdentity } from '@lineage/communities'
import {
  checkDatabase,
  createIndexTables,
  describeError,
  indexSchema,
  openPool,
  type SourceRow,
} from '@lineage/database'
import { ExportError, exportHistory } from './exportHistory.ts'
import { HistoryFileError } from './history/tableFile.ts'
import { listenHttp } from './http.ts'
import { createSourceLocks } from './locks.ts'
import { createLog, type Log } from './log.ts'
import { WrongNodeError } from './nodes/openNodes.ts'
import { createReader } from './reader.ts'
import { readLogFormat, readSettings, SettingError, type Settings } from './settings.ts'
import { createTables, LostSourceError } from './tables.ts'

/** Exit code after which a supervisor should start the process again. */
const tryAgain = 75

type Context = { settings: Settings; communities: readonly Community[]; args: readonly string[]; log: Log }

const commands = {
  start,
  /** Deletes what was read for some communities, or for all, and starts. */
  reread: async (context: Context) => {
    await forget(context)
    await start(context)
  },
  /** Writes the history to a file. */
  export: writeHistory,
  /** Deletes what was read for earlier configurations. */
  prune,
}

let log = createLog('text', [])
try {
  const [command = 'start', ...args] = process.argv.slice(2)
  // Needs neither a configuration nor a database.
  if (command === 'inspect') {
    const { inspectCommand } = await import('./inspect/inspectCommand.ts')
    process.exit(await inspectCommand(args, process.env))
  }
  if (!(command in commands))
    throw new SettingError(
      `Unknown command "${command}": use start, reread to read everything anew, export to write the history to a file, inspect to find out how a contract is configured, or prune to delete what no configured community needs.`,
    )
  const format = readLogFormat(process.env)
  log = createLog(format, [])
  for (const line of findUnknownVariables(process.env)) log(line, 'warn')
  const settings = readSettings(process.env, command === 'export' || command === 'prune' ? 'unused' : 'needed')
  const { communities } = await loadConfig(settings.config)
  log = createLog(format, [...settings.urls, settings.databaseUrl])
  // A database that does not answer yet is waited for.
  const database = await checkDatabase(settings.databaseUrl, [indexSchema])
  if (database.status === 'refused') throw new SettingError(database.message)
  await commands[command as keyof typeof commands]({ settings, communities, args, log })
} catch (error) {
  end(error)
}

async function start({ settings, communities, log }: Context): Promise<void> {
  const folders = [settings.config ?? '', settings.history ?? ''].flatMap((path) =>
    path ? dirname(resolve(path)) : [],
  )
  if (settings.history) folders.push(resolve(settings.history))
  const reader = createReader({ ...settings, communities, folders: [...new Set(folders)], log })
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void reader.stop().finally(() => process.exit(0)))
  await listenHttp(settings, reader.state)
  await reader.run()
}

async function forget({ settings, communities, args, log }: Context): Promise<void> {
  const unknown = args.find((id) => !communities.some((community) => community.id === id))
  if (unknown !== undefined) throw new SettingError(`There is no community "${unknown}" in the configuration.`)
  const identities = communities.filter(({ id }) => args.length === 0 || args.includes(id)).map(sourceIdentity)
  const isChosen = ({ identity }: SourceRow) => identities.includes(identity)
  const { inUse } = await removeSources(settings, isChosen)
  if (inUse.length > 0) throw new LostSourceError('Another reader writes to this database. Stop it first.')
  log(`Everything that was read for ${args.join(', ') || 'all communities'} is deleted. It is read again now.`)
}

async function prune({ settings, communities, log }: Context): Promise<void> {
  const identities = communities.map(sourceIdentity)
  const { removed, inUse } = await removeSources(settings, ({ identity }) => !identities.includes(identity))
  for (const { community, block } of removed) log(`Community "${community}" up to block ${block} is deleted.`)
  for (const { community } of inUse) log(`Community "${community}" of another configuration stays: a reader fills it.`)
  if (removed.length + inUse.length === 0) log('There is nothing but the configured communities.')
  process.exit(0)
}

/** Deletes sources that no reader writes to. */
async function removeSources({ databaseUrl }: Settings, isChosen: (source: SourceRow) => boolean) {
  const pool = openPool({ url: databaseUrl, timeout: 60_000 })
  const tables = createTables(pool, '')
  const locks = createSourceLocks(databaseUrl)
  try {
    await createIndexTables(pool)
    const chosen = (await tables.listSources()).filter(isChosen)
    const free: SourceRow[] = []
    for (const source of chosen) if (await locks.take(source.id)) free.push(source)
    for (const { id } of free) await tables.removeSource(id)
    return { removed: free, inUse: chosen.filter((source) => !free.includes(source)) }
  } finally {
    await locks.close()
    await pool.end()
  }
}

async function writeHistory({ settings, communities, args, log }: Context): Promise<void> {
  const [file, ...rest] = args
  if (file === undefined || rest.length > 0) throw new SettingError('Say which file to write: export history.csv.')
  const pool = openPool({ url: settings.databaseUrl, timeout: 60_000 })
  await createIndexTables(pool)
  const { logs, block } = await exportHistory({ communities, tables: createTables(pool, ''), file })
  log(`${logs} logs up to block ${block} were written to ${file}. LINEAGE_HISTORY reads it.`)
  process.exit(0)
}

/** Ends the process with the reason. */
function end(error: unknown): never {
  const introductions = new Map<unknown, string>([
    [ConfigError, 'The configuration of LINEAGE_CONFIG cannot be used.\n'],
    [WrongNodeError, 'The nodes cannot be used.\n'],
    [HistoryFileError, 'The files of LINEAGE_HISTORY cannot be used.\n'],
    [SettingError, ''],
    [ExportError, ''],
  ])
  const introduction = introductions.get((error as Error).constructor)
  const isKnown = introduction !== undefined || error instanceof LostSourceError
  log(isKnown ? `${introduction ?? ''}${(error as Error).message}` : `${describeError(error)}.`, 'error')
  process.exit(introduction === undefined ? tryAgain : 1)
}
