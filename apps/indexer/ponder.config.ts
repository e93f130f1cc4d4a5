import { createConfig } from 'ponder'
import { loadConfig } from './config/index.ts'
import { toContracts } from './config/toContracts.ts'

const { communities } = await loadConfig(process.env.LINEAGE_CONFIG)

const nodes = process.env.LINEAGE_NODES_URL
if (!nodes) throw new Error('LINEAGE_NODES_URL is not set: start with start.ts')

/** Ponder begins with 20 requests a second to each of its endpoints. How much each node takes is found out behind them. */
const endpoints = Array<string>(8).fill(nodes)

/** Asked for its newest block about as often as the chain has one; a node on this machine twice as often. */
const isNear = (process.env.LINEAGE_RPC_URLS ?? '')
  .split(',')
  .every((url) => ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(url.trim())?.hostname ?? ''))

export default createConfig({
  database: process.env.DATABASE_URL
    ? { kind: 'postgres', connectionString: process.env.DATABASE_URL }
    : { kind: 'pglite', ...(process.env.LINEAGE_INDEX_DIR && { directory: process.env.LINEAGE_INDEX_DIR }) },
  chains: { bsc: { id: 56, rpc: endpoints, pollingInterval: isNear ? 200 : 400 } },
  contracts: toContracts(communities),
})
