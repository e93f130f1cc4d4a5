import { randomBytes } from 'node:crypto'
import { readSettings, type Settings, SettingsError } from '../../apps/server/src/settings/settings.ts'

export type StartSettings = Omit<Settings, 'databaseUrl'> & {
  /** `null`: the embedded PostgreSQL. */
  databaseUrl: string | null
  /** Port of the reader's health. */
  readerPort: number
  rpcPort: number
  dataDir: string
  /** Milliseconds without an answer after which the reader is restarted; 0 for never. */
  restartAfter: number
  /** `demo`: a chain on this machine. `chain`: the communities of `configPath`, read from LINEAGE_RPC_URLS. */
  source: 'demo' | 'chain'
}

/**
 * Reads the settings of `npm start` from environment variables.
 *
 * @throws {SettingsError}
 */
export function readStartSettings(variables: Record<string, string | undefined>): StartSettings {
  const source = variables.LINEAGE_CONFIG?.trim() ? 'chain' : 'demo'
  const rpcPort = readPort('RPC_PORT', variables.RPC_PORT?.trim() || '8545')
  const readerPort = readPort('LINEAGE_READER_PORT', variables.LINEAGE_READER_PORT?.trim() || '42069')
  const restartText = variables.LINEAGE_RESTART_AFTER?.trim() || '60'
  if (!/^\d{1,6}$/.test(restartText))
    throw new SettingsError('LINEAGE_RESTART_AFTER must be a number of seconds, or 0 for never.')
  const { databaseUrl, ...server } = readSettings({
    ...variables,
    DATABASE_URL: variables.DATABASE_URL?.trim() || 'postgres://embedded',
    ...(source === 'demo' && {
      LINEAGE_CONFIG: 'demo.config.json',
      LINEAGE_RPC_URLS: `http://127.0.0.1:${rpcPort}`,
      // The keys of a demo are public.
      LINEAGE_HOST: variables.LINEAGE_HOST?.trim() || '127.0.0.1',
      // A new secret at each start ends the sessions of the last demo.
      LINEAGE_SESSION_SECRET: variables.LINEAGE_SESSION_SECRET?.trim() || randomBytes(32).toString('base64url'),
    }),
  })
  return {
    ...server,
    // All demo chains have the same configuration, so a shared database would mix them up.
    databaseUrl: source === 'chain' && variables.DATABASE_URL?.trim() ? databaseUrl : null,
    readerPort,
    rpcPort,
    restartAfter: Number(restartText) * 1_000,
    dataDir: variables.LINEAGE_DATA_DIR?.trim() || '.lineage',
    source,
  }
}

function readPort(name: string, text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port
  throw new SettingsError(`${name} must be a whole number from 1 to 65535.`)
}
