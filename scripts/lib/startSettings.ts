import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { checksumAddress, parseAddress } from '@lineage/communities'
import type { Address } from 'viem'
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
  /**
   * `demo`: a chain on this machine. `chain`: the communities of `configPath`, read from nodes. `contract`: the same, and the
   * configuration is made by inspecting `contract`.
   */
  source: 'demo' | 'chain' | 'contract'
  /** The contract that the command names. */
  contract: Address | null
}

/**
 * Reads the settings of `npm start` from environment variables, and from what follows the command: the address of a contract
 * and URLs of nodes.
 *
 * @throws {SettingsError}
 */
export function readStartSettings(
  given: Record<string, string | undefined>,
  words: readonly string[] = [],
): StartSettings {
  const { contract, nodes } = readWords(words, given.LINEAGE_RPC_URLS?.trim() || undefined)
  const variables: Record<string, string | undefined> = { ...given, LINEAGE_RPC_URLS: nodes }
  const source = contract ? 'contract' : variables.LINEAGE_CONFIG?.trim() ? 'chain' : 'demo'
  const dataDir = variables.LINEAGE_DATA_DIR?.trim() || '.lineage'
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
    }),
    ...(source !== 'chain' && {
      // The keys of a demo are public, and a contract is inspected to look at it.
      LINEAGE_HOST: variables.LINEAGE_HOST?.trim() || '127.0.0.1',
      // A new secret at each start ends the sessions of the last one.
      LINEAGE_SESSION_SECRET: variables.LINEAGE_SESSION_SECRET?.trim() || randomBytes(32).toString('base64url'),
    }),
    ...(contract && {
      LINEAGE_CONFIG: join(dataDir, variables.PORT?.trim() || '5173', `${contract}.json`),
      // It names communities of another configuration.
      LINEAGE_COMMUNITIES: '',
    }),
  })
  return {
    ...server,
    // All demo chains have the same configuration, so a shared database would mix them up.
    databaseUrl: source !== 'demo' && variables.DATABASE_URL?.trim() ? databaseUrl : null,
    readerPort,
    rpcPort,
    restartAfter: Number(restartText) * 1_000,
    dataDir,
    source,
    contract,
  }
}

const example = 'npm start 0x…contract… https://your-node.example'

/** Reads what follows `npm start`. @throws {SettingsError} */
function readWords(words: readonly string[], fromVariable: string | undefined) {
  const isUrl = (word: string) => /^https?:\/\//i.test(word)
  const [text, ...others] = words.filter((word) => !isUrl(word))
  const urls = words.filter(isUrl).join() || undefined
  if (text === undefined) {
    if (urls) throw new SettingsError(`Name the contract whose community to show before the node:\n\n  ${example}`)
    return { contract: null, nodes: fromVariable }
  }
  const contract = readContract(text)
  if (others.length > 0)
    throw new SettingsError(
      `"${others[0]}" is not the URL of a node. Name one contract, then nodes:\n\n  ${example}\n\nFor several contracts write a configuration, see README.md.`,
    )
  const nodes = urls ?? fromVariable
  if (nodes === undefined)
    throw new SettingsError(
      `Name a node of BNB Smart Chain that returns logs, after the address or in LINEAGE_RPC_URLS:\n\n  npm start ${contract} https://your-node.example\n\nNone is used by default: the public nodes of the chain do not return logs (eth_getLogs).`,
    )
  return { contract, nodes }
}

function readContract(text: string): Address {
  const parsed = parseAddress(text)
  if (parsed.status === 'valid') return checksumAddress(parsed.address)
  const reason =
    parsed.status === 'checksum'
      ? 'has a typing error: its capital letters do not fit its digits. Copy it again'
      : 'is not the address of a contract: 0x and 40 hex digits'
  throw new SettingsError(`"${text}" ${reason}:\n\n  ${example}`)
}

function readPort(name: string, text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port
  throw new SettingsError(`${name} must be a whole number from 1 to 65535.`)
}
