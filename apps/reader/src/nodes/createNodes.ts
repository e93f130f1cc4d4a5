import { numberToHex } from 'viem'
import type { HistoryLog } from '../history/HistorySource.ts'
import { createChainHead } from './chainHead.ts'
import { type ContractEvent, createEventShapes } from './eventShapes.ts'
import { findBlockLogsFault, findFault } from './findFault.ts'
import { probeNode, requestNewest } from './head.ts'
import { headerAt, takeGapHeader } from './headers.ts'
import { inspectNodes, type Start } from './inspectNodes.ts'
import { createNode, isReadable, now, type Pool } from './node.ts'
import { listWarnings, type NodeWarning } from './nodeState.ts'
import { postRpc } from './postRpc.ts'
import { createHashChecks, proveLogs } from './proofs.ts'
import { requestHeaders, requestPool } from './requestPool.ts'
import { finality, type Header, heightOf, isNewest, parseBlock, type RpcRequest, toHeader } from './rpc.ts'
import { confirmChain, sendPaced } from './send.ts'

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

/** Milliseconds for which logs are requested by number after a node has left some out by hash. */
const byNumberFor = 60_000

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
 * const { number, hash } = await nodes.newest()
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
    gapHeaders: new Map(),
    servedBy: new WeakMap(),
    requirements,
    events: createEventShapes(events, proven),
    hashes: createHashChecks(),
    patience,
    log,
  }
  const warnings = () => pool.nodes.flatMap((node) => listWarnings(node, requirements, now()))

  async function request(rpc: RpcRequest): Promise<unknown> {
    if (isNewest(rpc)) return requestNewest(pool)
    const result = takeGapHeader(pool, heightOf(rpc)) ?? (await requestPool(pool, rpc))
    pool.head.remember(result)
    return result
  }

  /** Until this time, logs are requested by number first: a node leaves some out by hash. */
  let byNumberUntil = 0

  /** Requests all logs of a block by its hash and, if no node returns them, by its number; or the other way round. */
  async function requestBlockLogs(header: Header): Promise<HistoryLog[]> {
    const findLogsFault = (logs: unknown) => findBlockLogsFault(header, logs as HistoryLog[])
    const number = numberToHex(header.number)
    const byHash = { method: 'eth_getLogs', params: [{ blockHash: header.hash }], findFault: findLogsFault }
    const byNumber = {
      method: 'eth_getLogs',
      params: [{ fromBlock: number, toBlock: number }],
      findFault: findLogsFault,
    }
    const [first, second] = byNumberUntil > now() ? [byNumber, byHash] : [byHash, byNumber]
    const logs = await requestPool(pool, first).catch(async (error) => {
      const found = await requestPool(pool, second).catch(() => {
        throw error
      })
      byNumberUntil = second === byNumber ? now() + byNumberFor : 0
      return found
    })
    return logs as HistoryLog[]
  }

  async function secondHeader(number: number): Promise<Header | undefined> {
    const reversed = { ...pool, nodes: pool.nodes.toReversed() }
    const block = await requestPool(reversed, headerAt(number), 'never').catch(() => undefined)
    return parseBlock(block) && toHeader(block)
  }

  return {
    /** Sends a request to the nodes. @throws {NodeError} if no node answers */
    request,
    /** Requests the newest block. It never goes back on the same chain. */
    newest: async (): Promise<Header> => toHeader(await requestNewest(pool)),
    /** Requests headers of blocks near the head. Those of the last gap need no request. */
    async headers(numbers: readonly number[]): Promise<Header[]> {
      const known = new Map(numbers.map((number) => [number, takeGapHeader(pool, number)]))
      const missing = numbers.filter((number) => !known.get(number))
      const found = missing.length > 0 ? await requestHeaders(pool, missing, 'each') : undefined
      return numbers.map((number) => {
        const header = known.get(number) ?? found?.get(number)
        pool.head.remember(header)
        return toHeader(header)
      })
    },
    /**
     * Requests all logs of a block, which match its bloom filter. If they do not match on any node, the header of another
     * node is used, because the given one may be false.
     */
    async blockLogs(header: Header): Promise<HistoryLog[]> {
      try {
        return await requestBlockLogs(header)
      } catch (error) {
        const other = await secondHeader(header.number)
        if (other?.hash !== header.hash || other.bloom === header.bloom) throw error
        return requestBlockLogs(other)
      }
    },
    /** Requests a header from the nodes in reverse order. Returns `undefined` if none has it. */
    secondHeader,
    /** Returns all logs of a block as its receipts prove them. Returns `undefined` if no node has such receipts. */
    async provenLogs(header: Header): Promise<HistoryLog[] | undefined> {
      const rpc = { method: 'eth_getBlockReceipts', params: [numberToHex(header.number)] }
      for (const { chain, endpoint } of pool.nodes) {
        if (chain.status === 'other' || header.receiptsRoot === undefined) continue
        const logs = proveLogs(header, await postRpc(endpoint, rpc).catch(() => undefined))
        if (logs) return logs
      }
      return undefined
    },
    /** Requests all logs of a block from each node. Returns those that match its bloom filter, with the node's name. */
    async logsOfEach(header: Header): Promise<{ node: string; logs: HistoryLog[] }[]> {
      const number = numberToHex(header.number)
      const rpc = { method: 'eth_getLogs', params: [{ fromBlock: number, toBlock: number }] }
      const found = await Promise.all(
        pool.nodes.filter(isReadable).map(async (node) => {
          const logs = (await sendPaced(pool, node, rpc).catch(() => undefined)) as HistoryLog[] | undefined
          const fault = findFault(rpc, logs) ?? findBlockLogsFault(header, logs ?? [])
          return logs && fault === undefined ? [{ node: node.name, logs }] : []
        }),
      )
      return found.flat()
    },
    /** Returns whether more than one node can be read from. */
    areSeveral: () => pool.nodes.filter(isReadable).length > 1,
    /** Returns the name of the node that returned a list of logs. */
    nodeOf: (logs: readonly HistoryLog[]): string | undefined => pool.servedBy.get(logs),
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
    /** Opens a reader of blocks that were read before: it asks the nodes in reverse order, and confirms nothing. */
    openSecond() {
      const reversed = { ...pool, nodes: pool.nodes.toReversed() }
      return {
        logs: (rpc: RpcRequest) => requestPool(reversed, rpc, 'never'),
        headers: (numbers: readonly number[]) => requestHeaders(reversed, numbers, 'never'),
        confirm: async () => {},
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
