/**
 * Runs Ponder with the product's configuration and handlers against one node, for `pnpm bench:index`: without the
 * node layer, without reading the history before Ponder starts, and with Ponder's own way to load files, Vite.
 */
import { join } from 'node:path'

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
// Leave SIGTERM to Ponder's own handler, which releases its lock. Vite would end the process earlier: its handler is the
// one added with `once`.
const once = process.once.bind(process) as (...parameters: unknown[]) => NodeJS.Process
process.once = (event: string, ...rest: unknown[]) => (event === 'SIGTERM' ? process : once(event, ...rest))
await import(new URL('./bin/ponder.js', import.meta.resolve('ponder')).href)
