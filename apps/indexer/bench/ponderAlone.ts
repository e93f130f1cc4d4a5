/**
 * Runs Ponder with the product's configuration and handlers against one node, for `pnpm bench:index`: without the
 * node layer, and without reading the history before Ponder starts.
 */
import { join } from 'node:path'
import { ignoreViteSigterm } from '../ponderInternals.ts'

const { env } = process
Object.assign(env, {
  PORT: env.API_PORT,
  LINEAGE_NODES_URL: env.LINEAGE_RPC_URLS,
  LINEAGE_ROLE: 'start',
  LINEAGE_POLL_INTERVAL: '200',
  DATABASE_SCHEMA: 'lineage_alone',
  PONDER_TELEMETRY_DISABLED: '1',
})
const root = join(import.meta.dirname, '..')
process.argv.splice(2, Number.POSITIVE_INFINITY, 'start', '--root', root, '--hostname', '127.0.0.1')
ignoreViteSigterm()
await import(new URL('./bin/ponder.js', import.meta.resolve('ponder')).href)
