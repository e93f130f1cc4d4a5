import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { claimDirectory } from './claimDirectory.ts'
import { ConfigError, loadConfig } from './config/index.ts'
import { toContracts } from './config/toContracts.ts'
import { createDirectory, readLastRun } from './lastRun.ts'
import { openNodes, WrongNodeError } from './nodes/openNodes.ts'

const root = import.meta.dirname
const { env } = process

/** `serve`: a replica, that answers from the tables another indexer fills in the same PostgreSQL. */
const [role = 'start'] = process.argv.slice(2)
if (role !== 'start' && role !== 'serve') refuse(`There is no "${role}": it is start, or serve for a replica.`)
if (role === 'serve' && !env.DATABASE_URL)
  refuse('A replica needs DATABASE_URL: the embedded database admits one process.')

const config = await loadConfig(env.LINEAGE_CONFIG).catch((error: unknown) => {
  if (!(error instanceof ConfigError)) throw error
  refuse(`The configuration is refused.\n${error.message}`)
})

// Ponder refuses tables that another configuration or other handlers have filled: each gets a schema of its own. Which
// argument is which is in the rows, and unknown to Ponder.
const sources = config.communities.map(({ id, member, referrer, unbind, volumes, rewards }) =>
  [id, member, referrer, unbind?.member, volumes?.member, volumes?.amount, rewards?.member, rewards?.amount].map(
    (name) => name ?? null,
  ),
)
const identity = createHash('sha256').update(JSON.stringify([toContracts(config.communities), sources]))
for (const file of ['ponder.schema.ts', 'src/index.ts']) identity.update(readFileSync(join(root, file)))
const schema = `lineage_${identity.digest('hex').slice(0, 12)}`

let finalizedBlock: number | undefined
if (env.DATABASE_URL) {
  // Who held it may live on another machine: whether it was killed is for Ponder to find out.
  if (role === 'start')
    finalizedBlock = await readLastRun({ database: { url: env.DATABASE_URL }, schema, ended: 'unknown' })
} else {
  const directory = resolve(env.LINEAGE_INDEX_DIR ?? join(root, '.ponder/pglite'))
  env.LINEAGE_INDEX_DIR = directory
  const left = claimDirectory(directory)
  if (typeof left === 'object') {
    console.error(`Another indexer (process ${left.heldBy}) has ${directory} open: stop it first.`)
    process.exit(75)
  }
  if (left === 'killed') console.log('The index was not closed: its lock is released.')
  const ended = left === 'killed' ? 'killed' : 'unknown'
  // Where it cannot be made, Ponder says why.
  if (left === 'empty') await createDirectory(directory).catch(() => undefined)
  else finalizedBlock = await readLastRun({ database: { directory }, schema, ended })
}

const urls = (env.LINEAGE_RPC_URLS ?? '').split(',').flatMap((url) => url.trim() || [])
if (urls.length === 0) refuse('LINEAGE_RPC_URLS is not set: it names the nodes to read the chain from.')
const wrong = urls.findIndex((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
if (wrong >= 0) refuse(`LINEAGE_RPC_URLS: address ${wrong + 1} is not one of http or https.`)

// PORT belongs to the server in front, and Ponder would take it over its own --port.
env.PORT = env.API_PORT ?? '42069'
const log = (message: string) => console.log(message)
const { communities } = config
const opening = openNodes({ urls, communities, finalizedBlock, port: Number(env.PORT), log })
env.LINEAGE_NODES_URL = await opening.catch((error: unknown) => {
  if (!(error instanceof WrongNodeError)) throw error
  refuse(`The nodes are refused.\n${error.message}`)
})

env.DATABASE_SCHEMA = schema
env.LINEAGE_ROLE = role
env.PONDER_TELEMETRY_DISABLED = '1'
process.argv.splice(2, Number.POSITIVE_INFINITY, role, '--root', root, '--hostname', '127.0.0.1')
await import(new URL('./bin/ponder.js', import.meta.resolve('ponder')).href)

function refuse(message: string): never {
  console.error(message)
  process.exit(1)
}
