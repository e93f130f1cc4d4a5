import { finality } from '../ponderInternals.ts'
import { confirmChain } from './pool/checkChain.ts'
import { takeFiller } from './pool/fillGap.ts'
import { inspectNodes, type Start } from './pool/inspectNodes.ts'
import { createNode, isReadable, now, type Pool } from './pool/node.ts'
import { probeNode } from './pool/probeNode.ts'
import { requestHeaders } from './pool/requestHeaders.ts'
import { requestNewest } from './pool/requestNewest.ts'
import { requestPool } from './pool/requestPool.ts'
import { heightOf, isNewest, type RpcRequest } from './rpc/rpcRequest.ts'
import { createChainHead } from './state/chainHead.ts'
import { type ContractEvent, createEventShapes } from './state/eventShapes.ts'
import { listWarnings, type NodeWarning } from './state/warnings.ts'

export type NodesParameters = {
  /** Nodes in order of preference. */
  urls: readonly string[]
  /** @default 56 */
  chainId?: number
  /** Newest final block of the index. A node is used only once this block is final on it, too. */
  finalizedBlock?: number
  /** First block to read. */
  startBlock?: number
  /** Events to read. Logs of them that cannot be decoded count against a node. */
  events?: readonly ContractEvent[]
  /** Those of `events` that the index has logs of, which shows that the configuration is right. */
  proven?: readonly ContractEvent[]
  log?: (message: string) => void
  /** Milliseconds that a request may take, over all nodes. @default 8_500 */
  patience?: number
}

export type Nodes = ReturnType<typeof createNodes>

/**
 * Combines several nodes into one that never contradicts itself. Nodes are tried in order of preference; nodes of
 * another chain or behind an earlier answer are skipped; logs come only from nodes that have all of them.
 *
 * viem's `fallback` transport is not used: it does not compare chains and heads, and does not learn which ranges a
 * node allows.
 *
 * @example
 * const nodes = createNodes({ urls: ['https://node-one.example/key', 'https://node-two.example'] })
 * const head = await nodes.request({ method: 'eth_blockNumber', params: [] })
 *
 * @see https://ethereum.github.io/execution-apis/
 */
export function createNodes(parameters: NodesParameters) {
  const { urls, chainId = 56, finalizedBlock = 0, startBlock = 0, events = [], proven = [] } = parameters
  const { log = () => {}, patience = 8_500 } = parameters
  // At the beginning of a chain, block 0 is final at once.
  const lowestHead = Math.max(finalizedBlock > 0 ? finalizedBlock + finality : 0, startBlock)
  const requirements = { chainId, startBlock, lowestHead }
  const pool: Pool = {
    nodes: urls.map(createNode),
    head: createChainHead(lowestHead),
    fillers: new Map(),
    requirements,
    events: createEventShapes(events, proven),
    patience,
    log,
  }
  const requestNewestShared = shareConcurrent((rpc) => requestNewest(pool, rpc))
  const warnings = () => pool.nodes.flatMap((node) => listWarnings(node, requirements, now()))

  return {
    /** Sends a request to the nodes. @throws {NodeError} if no node answers */
    async request(rpc: RpcRequest): Promise<unknown> {
      if (isNewest(rpc)) return requestNewestShared(rpc)
      const result = takeFiller(pool, heightOf(rpc)) ?? (await requestPool(pool, rpc))
      pool.head.remember(result)
      return result
    },
    /**
     * Opens a reader of many blocks or ranges of logs. `confirm` must resolve before the answers are used: it checks
     * once, for all of them, that the nodes are on the right chain.
     */
    openHistory() {
      const since = now()
      return {
        logs: (rpc: RpcRequest) => requestPool(pool, rpc, 'by_caller'),
        headers: (numbers: readonly number[]) => requestHeaders(pool, numbers, 'by_caller'),
        confirm: () => confirmChain(pool, since),
      }
    },
    /** Tests what each node can do for a reading from `start`, and returns warnings for what it cannot do. */
    async inspect(start: Start): Promise<NodeWarning[]> {
      await inspectNodes(pool, start)
      return warnings()
    },
    /** Returns the faults of the nodes, and whether one of them can be read from. */
    report: () => ({
      state: pool.nodes.some(isReadable) ? ('usable' as const) : ('unusable' as const),
      warnings: warnings(),
    }),
    /**
     * Requests the newest block from nodes that are silent or behind. Nodes after the first good one get no other
     * requests.
     */
    probe: () => Promise.all(pool.nodes.map((node) => probeNode(pool, node))),
    warnings,
    /** Returns whether at least one node meets all requirements for reading. */
    canRead: () => pool.nodes.some((node) => isReadable(node) && node.head.number >= lowestHead),
  }
}

/**
 * Returns a function that shares the answer of an identical request in progress: Ponder requests the newest block
 * several times a second.
 */
function shareConcurrent(send: (rpc: RpcRequest) => Promise<unknown>) {
  let latest: { key: string; answer: Promise<unknown> } | undefined
  return async (rpc: RpcRequest): Promise<unknown> => {
    const key = JSON.stringify(rpc)
    if (latest?.key === key) return latest.answer
    const current = { key, answer: send(rpc) }
    latest = current
    try {
      return await current.answer
    } finally {
      if (latest === current) latest = undefined
    }
  }
}
