import { type db as ponderDb, publicClients } from 'ponder:api'
import type { Address } from 'viem'
import type { Community } from '../../../config/index.ts'
import { postRpc } from '../../../nodes/rpc/postRpc.ts'
import { readHash } from '../../../nodes/rpc/readHash.ts'
import { runPeriodically } from '../lib/runPeriodically.ts'
import type { IndexReader } from '../reader/createIndexReader.ts'
import type { NodesWatch } from '../tables/createReportStore.ts'
import type { RunSql } from '../tables/runSql.ts'
import { createChainWatch } from './createChainWatch.ts'
import { createKnownBlockStore } from './createKnownBlockStore.ts'
import { createSpotCheckQueries } from './createSpotCheckQueries.ts'
import { createSpotChecks } from './createSpotChecks.ts'
import { type NodesReport, readNodesReport } from './readNodesReport.ts'

export type NodesWatchParameters = {
  communities: readonly Community[]
  startBlock: number
  index: Pick<IndexReader, 'view' | 'status'>
  db: typeof ponderDb
  run: RunSql
  schema: string
  /** URL that serves the nodes as one. */
  nodesUrl: string
  log: (message: string) => void
}

/** Requests the newest block from the nodes. */
export const requestHeadBlock = async (): Promise<number> =>
  Number(await publicClients.bsc.getBlockNumber({ cacheTime: 0 }))

/**
 * Starts the checks that send requests to the nodes: of the nodes' state, the chain and the contracts. Returns a
 * function that returns the findings.
 */
export function watchNodes(parameters: NodesWatchParameters): () => NodesWatch {
  const { communities, startBlock, index, db, run, schema, nodesUrl, log } = parameters
  const nodes = { url: nodesUrl, headers: {} }
  const chain = createChainWatch({
    startBlock,
    finalizedBlock: () => index.view()?.asOf.finalizedBlock,
    readHash: (block) => readHash((rpc) => postRpc(nodes, rpc, 10_000), block),
    store: createKnownBlockStore(run, schema),
    log,
  })
  runPeriodically('The chain of the nodes cannot be checked', log, chain.run)

  const checks = createSpotChecks({
    communities,
    index,
    queries: {
      ...createSpotCheckQueries(db),
      hasCode: async (address) => (await publicClients.bsc.getCode({ address })) !== undefined,
    },
    async readReferrer({ address, parentView }, member, block) {
      if (!parentView) throw new Error('The community has no parentView.')
      const { item } = parentView
      const call = { abi: [item], address, functionName: item.name, args: [member], blockNumber: BigInt(block) }
      return (await publicClients.bsc.readContract(call)) as Address
    },
    log,
  })
  runPeriodically('The spot checks failed', log, checks.run)

  let report: NodesReport = { state: 'usable', warnings: [] }
  runPeriodically('The state of the nodes cannot be read', log, async () => {
    report = await readNodesReport(nodesUrl)
    return 2_000
  })

  // Evaluated at each request, so that costly parts are computed only when requested.
  const watched: NodesWatch = {
    get headBlock() {
      return index.status().headBlock
    },
    get nodes() {
      return report.state
    },
    get chain() {
      return chain.state()
    },
    get replaced() {
      return chain.replaced() ?? null
    },
    get members() {
      return checks.state()
    },
    get withheld() {
      return checks.withheld()
    },
    get warnings() {
      return [...report.warnings, ...chain.warnings(), ...checks.warnings()]
    },
    get spotChecks() {
      return checks.spotChecks()
    },
  }
  return () => watched
}
