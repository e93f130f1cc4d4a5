import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { readSettings, type Settings, SettingsError } from '../../apps/server/src/settings/settings.ts'

export type StartSettings = Settings & {
  rpcPort: number
  dataDir: string
  /** Milliseconds without an answer after which the indexer is restarted; 0 for never. */
  restartAfter: number
  /** `demo`: a chain on this machine. `chain`: the communities of a configuration, read from LINEAGE_RPC_URLS. */
  source: { kind: 'demo' } | { kind: 'chain'; configFile: string }
}

/**
 * Reads the settings of `npm start` from environment variables.
 *
 * @throws {SettingsError}
 */
export function readStartSettings(variables: Record<string, string | undefined>): StartSettings {
  const configFile = variables.LINEAGE_CONFIG?.trim()
  const rpcText = variables.RPC_PORT?.trim() || '8545'
  const rpcPort = Number(rpcText)
  if (!/^\d+$/.test(rpcText) || rpcPort < 1 || rpcPort > 65_535)
    throw new SettingsError('RPC_PORT must be a whole number from 1 to 65535.')
  const restartText = variables.LINEAGE_RESTART_AFTER?.trim() || '60'
  if (!/^\d{1,6}$/.test(restartText))
    throw new SettingsError('LINEAGE_RESTART_AFTER must be a number of seconds, or 0 for never.')
  const server = readSettings(
    configFile
      ? variables
      : {
          ...variables,
          LINEAGE_RPC_URLS: `http://127.0.0.1:${rpcPort}`,
          // The keys of a demo are public.
          LINEAGE_HOST: variables.LINEAGE_HOST?.trim() || '127.0.0.1',
          // A new secret at each start ends the sessions of the last demo.
          LINEAGE_SESSION_SECRET: variables.LINEAGE_SESSION_SECRET?.trim() || randomBytes(32).toString('base64url'),
        },
  )
  return {
    ...server,
    rpcPort,
    restartAfter: Number(restartText) * 1_000,
    dataDir: variables.LINEAGE_DATA_DIR?.trim() || '.lineage',
    // Absolute, because the indexer runs in another folder.
    source: configFile ? { kind: 'chain', configFile: resolve(configFile) } : { kind: 'demo' },
  }
}
