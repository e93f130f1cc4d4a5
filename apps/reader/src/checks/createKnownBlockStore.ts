import { type KnownBlock, saveKnownBlocks, selectKnownBlocks } from '../../../knownBlocks.ts'
import { emptyIfMissing, type RunSql } from '../tables/runSql.ts'
import type { ChainWatchParameters } from './createChainWatch.ts'

/** Creates the store of the blocks on which the index of a schema was built. */
export function createKnownBlockStore(run: RunSql, schema: string): ChainWatchParameters['store'] {
  return {
    async load() {
      return (await run(selectKnownBlocks(schema)).catch(emptyIfMissing)).rows as KnownBlock[]
    },
    async save({ first, final }) {
      for (const text of saveKnownBlocks({ [`${schema} first`]: first, [`${schema} final`]: final })) await run(text)
    },
  }
}
