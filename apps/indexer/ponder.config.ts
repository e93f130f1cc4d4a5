import { createConfig } from 'ponder'
import { loadConfig } from './config/index.ts'
import { toContracts } from './config/toContracts.ts'

const { communities } = await loadConfig(process.env.LINEAGE_CONFIG)

const nodes = process.env.LINEAGE_NODES_URL
if (!nodes) throw new Error('LINEAGE_NODES_URL is not set. Start the indexer with start.ts.')

/**
 * The same URL several times, because Ponder starts with 20 requests a second for each. The nodes behind it have
 * their own limits.
 */
const endpoints = Array<string>(8).fill(nodes)

export default createConfig({
  database: process.env.DATABASE_URL
    ? { kind: 'postgres', connectionString: process.env.DATABASE_URL }
    : { kind: 'pglite', ...(process.env.LINEAGE_INDEX_DIR && { directory: process.env.LINEAGE_INDEX_DIR }) },
  chains: { bsc: { id: 56, rpc: endpoints, pollingInterval: Number(process.env.LINEAGE_POLL_INTERVAL) } },
  contracts: toContracts(communities),
})
