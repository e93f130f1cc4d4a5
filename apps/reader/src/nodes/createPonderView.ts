import { type Address, type Hex, numberToHex, zeroAddress, zeroHash } from 'viem'
import { isInBloom } from './rpc/isInBloom.ts'
import { parseBlock } from './rpc/parseBlock.ts'
import { isByHash, type RpcRequest } from './rpc/rpcRequest.ts'

/** Events to read: those of one contract with one first topic. */
export type LogSource = { address: Address; topic: Hex }

type Log = { blockHash: string; transactionHash?: Hex; transactionIndex?: Hex }
/** Fields of a header that are checked, and those that Ponder requires. */
type Header = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex; logsBloom: Hex }
type Transaction = {
  hash: Hex
  transactionIndex: Hex
  blockHash: string
  blockNumber: Hex
  from: Address
  gasPrice: Hex
}

/** Number of blocks whose transactions are kept until Ponder asks for them; more than a range of its backfill. */
const keptBlocks = 50_000
/** Number of newest blocks whose logs are kept. */
const keptLogs = 128
/** Milliseconds for which the last head that Ponder polled is returned as the newest block number. */
const headKeptFor = 5_000

/**
 * Answers Ponder like a node, using only headers and logs.
 *
 * Ponder requests each block with all its transactions, and checks that they include those of the logs. Handlers need
 * only the transaction hashes, which logs contain. So a block is answered with the transactions of its logs, each
 * with only its hash and position.
 */
export function createPonderView(request: (rpc: RpcRequest) => Promise<unknown>, sources: readonly LogSource[]) {
  const transactions = new Map<string, Map<Hex, Hex>>()
  const recentLogs = new Map<string, readonly Log[]>()
  let polled: { number: number; at: number } | undefined

  async function requestBlock(rpc: RpcRequest): Promise<unknown> {
    const header = await request(rpc)
    const block = parseBlock(header)
    if (!block) return header
    if (rpc.params[0] === 'latest') polled = { number: block.number, at: performance.now() }
    const found = await findTransactions(header as Header)
    return { ...pickFields(header as Header), transactions: toTransactions(found, block.hash, block.number) }
  }

  /**
   * Returns the transactions of a block's logs, which come from the logs of a range or from a request by block hash.
   */
  async function findTransactions({ hash, logsBloom }: Header): Promise<Map<Hex, Hex>> {
    const known = transactions.get(hash)
    if (known) return known
    if (!sources.some((source) => mayHold(logsBloom, source))) return new Map()
    await requestLogs({ method: 'eth_getLogs', params: [{ blockHash: hash }] })
    return transactions.get(hash) ?? new Map()
  }

  async function requestLogs(rpc: RpcRequest): Promise<unknown> {
    const hash = isByHash(rpc) ? (rpc.params[0] as { blockHash: string }).blockHash : undefined
    const known = hash === undefined ? undefined : recentLogs.get(hash)
    if (known) return known
    const logs = (await request(rpc)) as readonly Log[]
    for (const log of logs) remember(log)
    // An empty list is not cached: Ponder detects that it contradicts the bloom filter, and asks again.
    if (hash !== undefined && logs.length > 0) keep(recentLogs, hash, logs, keptLogs)
    return logs
  }

  function remember({ blockHash, transactionHash, transactionIndex }: Log): void {
    if (!transactionHash || !transactionIndex) return
    const known = transactions.get(blockHash)
    if (known) known.set(transactionIndex, transactionHash)
    else keep(transactions, blockHash, new Map([[transactionIndex, transactionHash]]), keptBlocks)
  }

  return {
    async request(rpc: RpcRequest): Promise<unknown> {
      if (rpc.method === 'eth_blockNumber' && polled && polled.at > performance.now() - headKeptFor)
        return numberToHex(polled.number)
      if (isWholeBlock(rpc)) return requestBlock(rpc)
      return rpc.method === 'eth_getLogs' ? requestLogs(rpc) : request(rpc)
    },
  }
}

const isWholeBlock = ({ method, params }: RpcRequest) =>
  (method === 'eth_getBlockByNumber' || method === 'eth_getBlockByHash') && params[1] === true

const mayHold = (bloom: Hex, { address, topic }: LogSource) => isInBloom(bloom, address) && isInBloom(bloom, topic)

/**
 * Removes fields that no handler reads, so that Ponder does not store unchecked fields of a node. Ponder requires
 * `receiptsRoot`.
 */
const pickFields = ({ number, hash, parentHash, timestamp, logsBloom }: Header) => ({
  ...{ number, hash, parentHash, timestamp, logsBloom },
  receiptsRoot: zeroHash,
})

function toTransactions(found: ReadonlyMap<Hex, Hex>, blockHash: string, blockNumber: number): Transaction[] {
  // Ponder requires these fields.
  const rest = { blockHash, blockNumber: numberToHex(blockNumber), from: zeroAddress, gasPrice: '0x0' as const }
  return [...found].map(([transactionIndex, hash]) => ({ hash, transactionIndex, ...rest }))
}

/** Adds an entry and deletes the oldest ones beyond a limit. */
function keep<value>(map: Map<string, value>, key: string, value: value, most: number): void {
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
