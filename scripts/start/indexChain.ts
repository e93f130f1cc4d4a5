import { loadConfig } from '../../apps/indexer/config/index.ts'
import { blockHash, checkNodes } from '../lib/checkNodes.ts'
import type { Product } from './product.ts'
import { superviseIndexer } from './superviseIndexer.ts'

/** Indexes the communities of a configuration, after checking their nodes. */
export async function indexChain(product: Product, configFile: string): Promise<void> {
  const { settings, data, terminal } = product
  const { communities } = await loadConfig(configFile)
  const silent = await checkNodes(settings.rpcUrls)
  if (silent.length > 0) terminal.line(`No answer from ${silent.join(', ')}; going on with the other nodes`)
  const first = Math.min(...communities.map(({ startBlock }) => startBlock))
  await superviseIndexer(product, {
    LINEAGE_CONFIG: configFile,
    LINEAGE_INDEX_DIR: data.index('chain', await blockHash(settings.rpcUrls, first)),
  }).ended
}
