import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { checkDatabase, indexSchema, openPool } from '@lineage/database'
import { startPostgres } from '@lineage/database/embedded'
import { MoveError, moveAccounts } from '../../apps/server/src/accounts/moveAccounts.ts'
import { serverSchemas } from '../../apps/server/src/database/database.ts'
import { openLogFile } from '../lib/logFile.ts'
import { type Product, StartError } from './createProcesses.ts'

/**
 * Returns the URL of the database: the one of DATABASE_URL, or one in an embedded PostgreSQL, which is started.
 *
 * @throws {StartError | PostgresStartError} If the user must fix it.
 */
export async function startDatabase(product: Product): Promise<string> {
  const { settings, terminal } = product
  if (settings.databaseUrl === null) return startEmbedded(product)
  const found = await checkDatabase(settings.databaseUrl, [indexSchema, ...serverSchemas])
  if (found.status === 'refused') throw new StartError(found.message)
  if (found.status === 'silent')
    terminal.line(`DATABASE_URL cannot be used yet: ${found.message}. Starting nevertheless.`)
  return settings.databaseUrl
}

async function startEmbedded(product: Product): Promise<string> {
  const { settings, data, terminal } = product
  const phase = terminal.phase('Starting PostgreSQL')
  const url = await keepPostgres(product)
  // A demo starts with an empty index, and must not empty that of a real chain.
  const database = settings.source === 'demo' ? await createDatabase(url, 'demo') : url
  await moveEarlierAccounts(product, database)
  if (existsSync(data.earlier.indexes))
    terminal.line(`${data.earlier.indexes} is the index of an earlier version. It is no longer used: delete it.`)
  phase.done('PostgreSQL runs')
  return database
}

/** Starts PostgreSQL, and starts it again when it ends. */
async function keepPostgres({ data, terminal, processes }: Product): Promise<string> {
  const log = openLogFile(data.log('postgres'))
  let postgres = await startPostgres({ directory: data.postgres, log })
  const { url } = postgres
  const stopping = new AbortController()
  async function startAgain() {
    for (let said = ''; !stopping.signal.aborted; await delay(2_000)) {
      try {
        postgres = await startPostgres({ directory: data.postgres, port: Number(new URL(url).port), log })
        return terminal.line('PostgreSQL runs again.')
      } catch (error) {
        const { message } = error as Error
        if (message !== said) terminal.line(message)
        said = message
      }
    }
  }
  async function watch() {
    while (!stopping.signal.aborted) {
      await postgres.ended
      if (stopping.signal.aborted) return
      terminal.line(`PostgreSQL has ended unexpectedly, and is started again. Its log: ${data.log('postgres')}`)
      await startAgain()
    }
  }
  void watch()
  processes.add({
    async stop() {
      stopping.abort()
      await postgres.stop()
    },
  })
  return url
}

/** Creates a database if it does not exist, and returns its URL. */
async function createDatabase(url: string, name: string): Promise<string> {
  const pool = openPool({ url })
  try {
    const { rowCount } = await pool.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await pool.query(`create database ${name}`)
  } finally {
    await pool.end()
  }
  return new URL(`/${name}`, url).href
}

/** Moves the accounts of an earlier version into the database, once. */
async function moveEarlierAccounts({ data, terminal }: Product, url: string): Promise<void> {
  const folder = data.earlier.accounts
  if (!existsSync(join(folder, 'PG_VERSION'))) return
  try {
    const { status, counts } = await moveAccounts(folder, url)
    if (status === 'moved_before') return
    const { labels = 0, watches = 0, webhooks = 0 } = counts
    terminal.line(
      `The accounts of an earlier version were moved into PostgreSQL, with ${labels} labels, ${watches} watches and ${webhooks} webhooks. ${folder} is no longer used.`,
    )
  } catch (error) {
    if (!(error instanceof MoveError)) throw error
    terminal.line(`The accounts of an earlier version were not moved. ${error.message}`)
  }
}
