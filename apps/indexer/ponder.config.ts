import { createConfig } from 'ponder'
import { loadConfig } from './config/index.ts'
import { toContracts } from './config/toContracts.ts'

const { communities } = await loadConfig(process.env.LINEAGE_CONFIG)

const nodes = process.env.LINEAGE_NODES_URL
if (!nodes) throw new Error('LINEAGE_NODES_URL is not set: start with start.ts')

/** Ponder begins with 20 requests a second to each of its endpoints. How much each node takes is found out behind them. */
const endpoints = Array<string>(8).fill(nodes)

export default createConfig({
  database: process.env.DATABASE_URL
    ? { kind: 'postgres', connectionString: process.env.DATABASE_URL }
    : { kind: 'pglite', ...(process.env.LINEAGE_INDEX_DIR && { directory: process.env.LINEAGE_INDEX_DIR }) },
  chains: { bsc: { id: 56, rpc: endpoints, pollingInterval: 400 } },
  contracts: toContracts(communities),
})
