import { createConfig } from 'ponder'
import { loadConfig } from './config/index.ts'
import { toContracts } from './config/toContracts.ts'

const { communities } = await loadConfig(process.env.LINEAGE_CONFIG)

const nodes = (process.env.LINEAGE_RPC_URLS ?? '').split(',').flatMap((url) => url.trim() || [])
if (nodes.length === 0) throw new Error('LINEAGE_RPC_URLS is not set: it names the nodes to read the chain from')

/** Ponder starts at 20 requests a second to each of its endpoints; a node of this machine may be asked for more. */
const endpoints = nodes.flatMap((url) => (isLocal(url) ? Array<string>(8).fill(url) : [url]))

export default createConfig({
  database: process.env.DATABASE_URL
    ? { kind: 'postgres', connectionString: process.env.DATABASE_URL }
    : { kind: 'pglite', ...(process.env.LINEAGE_INDEX_DIR && { directory: process.env.LINEAGE_INDEX_DIR }) },
  chains: { bsc: { id: 56, rpc: endpoints, pollingInterval: 400 } },
  contracts: toContracts(communities),
})

function isLocal(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}
