import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { claimDirectory } from './claimDirectory.ts'
import { ConfigError, loadConfig } from './config/index.ts'
import { toContracts } from './config/toContracts.ts'

const root = import.meta.dirname
const { env } = process

const config = await loadConfig(env.LINEAGE_CONFIG).catch((error: unknown) => {
  if (!(error instanceof ConfigError)) throw error
  console.error(`The configuration is refused.\n${error.message}`)
  process.exit(1)
})

// Ponder refuses tables that another configuration or other handlers have filled: each gets a schema of its own. Which
// argument is which is in the rows, and unknown to Ponder.
const sources = config.communities.map(({ id, member, referrer, volumes, rewards }) =>
  [id, member, referrer, volumes?.member, volumes?.amount, rewards?.member, rewards?.amount].map(
    (name) => name ?? null,
  ),
)
const identity = createHash('sha256').update(JSON.stringify([toContracts(config.communities), sources]))
for (const file of ['ponder.schema.ts', 'src/index.ts']) identity.update(readFileSync(join(root, file)))
const schema = `lineage_${identity.digest('hex').slice(0, 12)}`

if (!env.DATABASE_URL) {
  env.LINEAGE_INDEX_DIR = resolve(env.LINEAGE_INDEX_DIR ?? join(root, '.ponder/pglite'))
  const claim = await claimDirectory(env.LINEAGE_INDEX_DIR, schema)
  if (claim !== 'claimed') {
    console.error(`Another indexer (process ${claim.heldBy}) has ${env.LINEAGE_INDEX_DIR} open: stop it first.`)
    process.exit(75)
  }
}

env.DATABASE_SCHEMA = schema
// PORT belongs to the server in front, and Ponder would take it over its own --port.
env.PORT = env.API_PORT ?? '42069'
env.PONDER_TELEMETRY_DISABLED = '1'
process.argv.splice(2, Number.POSITIVE_INFINITY, 'start', '--root', root, '--hostname', '127.0.0.1')
await import(new URL('./bin/ponder.js', import.meta.resolve('ponder')).href)
