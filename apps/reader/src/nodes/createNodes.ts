import type { Hex } from 'viem'
import { numberToHex } from 'viem/utils'
import type { HistoryBlock, HistoryLog, LogFilter } from '../history/HistorySource.ts'
import { createChainHead } from './chainHead.ts'
import { type ContractEvent, createEventShapes } from './eventShapes.ts'
import { findBlockLogsFault, findTransactionsFault } from './findFault.ts'
import { probeNode, requestNewest } from './head.ts'
import { headerAt, takeGapHeader } from './headers.ts'
import { inspectNodes, type Start } from './inspectNodes.ts'
import { byTrust, createNode, isReadable, noteWrongLogs, now, type Pool } from './node.ts'
import { NodeError, toNodeError } from './nodeError.ts'
import { listWarnings, type NodeWarning } from './nodeState.ts'
import { createHashChecks } from './proofs.ts'
import { requestHeaders, requestPool } from './requestPool.ts'
import { finality, type Header, heightOf, isNewest, parseBlock, type RpcRequest, toHeader } from './rpc.ts'
import { confirmChain } from './send.ts'
import { mayHoldLogs, type Settled, settleLogs } from './settleLogs.ts'

export type NodesParameters = {
  /** Nodes in order of preference. */
  urls: readonly string[]
  /** Newest final block of the index. A node is used only once this block is final on it, too. */
  finalizedBlock?: number
  startBlock?: number
  /** Events to read. Logs of them that cannot be decoded count against a node. */
  events?: readonly ContractEvent[]
  /** Those of `events` that the index has logs of, which shows that the configuration is right. */
  proven?: readonly ContractEvent[]
  log?: (message: string) => void
  /** Milliseconds that a request may take, over all nodes. @default 8_500 */
  patience?: number
}

/** A block with its transactions, as nodes return it. */
export type WholeBlock = HistoryBlock & {
  transactions: { hash: Hex; transactionIndex: Hex; from: Hex; to?: Hex | null; input: Hex }[]
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
  const { urls, finalizedBlock = 0, startBlock = 0, events = [], proven = [] } = parameters
  const { log = () => {}, patience = 8_500 } = parameters
  // At the beginning of a chain, block 0 is final at once.
  const lowestHead = Math.max(finalizedBlock > 0 ? finalizedBlock + finality : 0, startBlock)
  const requirements = { chainId: 56, startBlock, lowestHead }
  const nodes = urls.map(createNode)
  const pool: Pool = {
    nodes,
    inOrder: () => byTrust(nodes),
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

  const reversed = { ...pool, inOrder: () => byTrust(nodes).toReversed() }

  /** Requests a header from the nodes in reverse order. Returns `undefined` if none has it. */
  async function secondHeader(number: number): Promise<Header | undefined> {
    const block = await requestPool(reversed, headerAt(number), 'never').catch(() => undefined)
    return parseBlock(block) && toHeader(block)
  }

  /**
   * Requests all logs of a block, which match its bloom filter. If they do not match on any node, the header of another
   * node is used, because the given one may be false. If no node returns them, takes them from the block's receipts.
   */
  async function blockLogs(header: Header): Promise<HistoryLog[]> {
    try {
      return await requestBlockLogs(header)
    } catch (error) {
      const other = await secondHeader(header.number)
      if (other?.hash === header.hash && other.bloom !== header.bloom) return requestBlockLogs(other)
      // The nodes need a rest, and would be asked for more.
      if (toNodeError(error).kind === 'rate_limited') throw error
      const { candidates, doubt } = await settleLogs(pool, header, () => Promise.reject(error))
      if (doubt) throw error
      return candidates[0]
    }
  }

  /** Reads all logs of a block, by the header of another node if the given one hides those of a filter. */
  async function readAll(header: Header, filter: LogFilter): Promise<HistoryLog[]> {
    if (mayHoldLogs(filter, header)) return blockLogs(header)
    const second = await secondHeader(header.number)
    const isOther = second?.hash === header.hash && mayHoldLogs(filter, second)
    return isOther ? blockLogs(second) : []
  }

  const settle = (header: Header, filter: LogFilter) => settleLogs(pool, header, () => readAll(header, filter))

  async function headers(numbers: readonly number[]): Promise<Header[]> {
    const known = new Map(numbers.map((number) => [number, takeGapHeader(pool, number)]))
    const missing = numbers.filter((number) => !known.get(number))
    const found = missing.length > 0 ? await requestHeaders(pool, missing, 'each') : undefined
    return numbers.map((number) => {
      const header = known.get(number) ?? found?.get(number)
      pool.head.remember(header)
      return toHeader(header)
    })
  }

  return {
    /** Sends a request to the nodes. @throws {NodeError} if no node answers */
    request,
    /** Requests the newest block. It never goes back on the same chain. */
    newest: async (): Promise<Header> => toHeader(await requestNewest(pool)),
    /** Requests headers of blocks near the head. Those of the last gap need no request. */
    headers,
    blockLogs,
    /** Finds out which logs a block has, by its receipts or by what most nodes return. */
    settle,
    /** Requests a block with its transactions; one of a certain hash if it is given. */
    async wholeBlock(number: number, hash?: Hex): Promise<WholeBlock> {
      const params = [numberToHex(number), true]
      const rpc = { method: 'eth_getBlockByNumber', params, findFault: findTransactionsFault }
      const block = (await requestPool(pool, rpc)) as WholeBlock | null
      if (block && (hash ?? block.hash) === block.hash) return block
      throw new NodeError('missing', `No node has block ${number} of this chain`)
    },
    /** Returns whether more than one node can be read from. */
    areSeveral: () => pool.nodes.filter(isReadable).length > 1,
    /** Asks a node after the others from now on, because it returned wrong logs before. */
    distrust(name: string): void {
      const node = nodes.find((one) => one.name === name)
      if (node) node.lastWrong = { at: now() }
    },
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
        check: {
          /** Requests logs from another node than the one that returned the first ones, or from that one if no other does. */
          async again(rpc: RpcRequest, first: object): Promise<HistoryLog[]> {
            const others = pool.nodes.filter((node) => isReadable(node) && node.name !== pool.servedBy.get(first))
            const ofOther =
              others.length > 0 &&
              (await requestPool({ ...pool, inOrder: () => byTrust(others) }, rpc, 'never').catch(() => undefined))
            return (ofOther || (await requestPool(pool, rpc, 'never'))) as HistoryLog[]
          },
          /** Finds out which logs a block has that matches a filter. */
          async settle(number: number, filter: LogFilter): Promise<Settled> {
            const found = await requestHeaders(pool, [number], 'by_caller')
            return settle(toHeader(found.get(number)), filter)
          },
          /** Marks the node that returned these logs, because its block has others. */
          noteWrong: (logs: readonly HistoryLog[], block: number) => noteWrongLogs(pool, logs, block),
        },
      }
    },
    /** Opens a reader of blocks that were read before: it asks the nodes in reverse order, and confirms nothing. */
    openSecond() {
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
    /** Requests the newest block from nodes that are silent or behind. Nodes after the first good one get no other requests. */
    probe: () => Promise.all(pool.nodes.map((node) => probeNode(pool, node))),
    warnings,
    /** Returns whether at least one node meets all requirements for reading. */
    canRead: () => pool.nodes.some((node) => isReadable(node) && node.head.number >= lowestHead),
  }
}
