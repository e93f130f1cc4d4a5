import { parseNodeUrl, type ReaderVariable } from '@lineage/communities'
import { findUrlFault, withVerifiedTls } from '@lineage/database'

export type Settings = {
  databaseUrl: string
  /** Path of the configuration. */
  config: string | undefined
  urls: readonly string[]
  history: string | undefined
  pollInterval: number
  sweepInterval: number
  host: string
  port: number
}

/** Thrown for a setting that cannot be used. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

type Environment = Readonly<Partial<Record<ReaderVariable, string | undefined>>>

/**
 * Reads the settings from the environment. A blank value counts as none.
 *
 * @param nodes Whether nodes are needed.
 * @throws {SettingError} with what to set instead
 */
export function readSettings(env: Environment, nodes: 'needed' | 'unused'): Settings {
  const read = (name: ReaderVariable) => env[name]?.trim() || undefined
  const urls = nodes === 'needed' ? readUrls(read('LINEAGE_RPC_URLS')) : []
  const areLocal = urls.every(isLocal)
  return {
    databaseUrl: readDatabaseUrl(read('DATABASE_URL')),
    config: read('LINEAGE_CONFIG'),
    urls,
    history: read('LINEAGE_HISTORY'),
    pollInterval: readPollInterval(read('LINEAGE_POLL_INTERVAL') ?? (areLocal ? '200' : '600')),
    sweepInterval: readSweepInterval(read('LINEAGE_SWEEPS') ?? (areLocal ? '60' : '6')),
    host: read('LINEAGE_READER_HOST') ?? '127.0.0.1',
    port: readPort(read('LINEAGE_READER_PORT') ?? '42069'),
  }
}

export function readLogFormat({ LINEAGE_LOG = '' }: Environment): 'text' | 'json' {
  const format = LINEAGE_LOG.trim()
  if (format === 'json') return 'json'
  if (format !== '' && format !== 'text') throw new SettingError('LINEAGE_LOG must be text or json.')
  return 'text'
}

function readDatabaseUrl(text = ''): string {
  if (text === '') throw new SettingError('DATABASE_URL is not set: write the URL of a PostgreSQL database.')
  const fault = findUrlFault(text)
  if (fault === undefined) return withVerifiedTls(text)
  throw new SettingError(`DATABASE_URL ${fault}.`)
}

function readUrls(text = ''): string[] {
  const urls = text.split(',').flatMap((url) => url.trim() || [])
  if (urls.length === 0) throw new SettingError('LINEAGE_RPC_URLS is not set: list the nodes to read the chain from.')
  const wrong = urls.findIndex((url) => !parseNodeUrl(url))
  if (wrong >= 0) throw new SettingError(`LINEAGE_RPC_URLS: address ${wrong + 1} is not an http or https URL.`)
  return urls
}

function readPollInterval(text: string): number {
  if (!/^\d{3,5}$/.test(text) || Number(text) > 20_000)
    throw new SettingError('LINEAGE_POLL_INTERVAL must be a number of milliseconds between 100 and 20000.')
  return Number(text)
}

/** Returns the milliseconds between two sweeps. Each asks a contract about 500 members, in one request. */
function readSweepInterval(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > 600)
    throw new SettingError('LINEAGE_SWEEPS must be a number of requests a minute, between 1 and 600.')
  return 60_000 / Number(text)
}

function readPort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port
  throw new SettingError(`LINEAGE_READER_PORT is "${text}": it must be from 1 to 65535.`)
}

/** Returns whether a node is on this machine, where requests cost nothing. */
const isLocal = (url: string) => ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(url)?.hostname ?? '')
