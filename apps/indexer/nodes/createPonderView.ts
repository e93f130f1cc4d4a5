import { type Address, type Hex, numberToHex, zeroAddress, zeroHash } from 'viem'
import { isInBloom } from './rpc/isInBloom.ts'
import { parseBlock } from './rpc/parseBlock.ts'
import { isByHash, type RpcRequest } from './rpc/rpcRequest.ts'

/** Events that are read: of one contract, with one first topic. */
export type LogSource = { address: Address; topic: Hex }

type Log = { blockHash: string; transactionHash?: Hex; transactionIndex?: Hex }
/** The fields of a header that are checked, and that Ponder requires. */
type Header = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex; logsBloom: Hex }
type Transaction = {
  hash: Hex
  transactionIndex: Hex
  blockHash: string
  blockNumber: Hex
  from: Address
  gasPrice: Hex
}

/** Blocks whose transactions are kept until Ponder asks for them: more than a range of its backfill has. */
const keptBlocks = 50_000
/** Newest blocks whose logs are kept. */
const keptLogs = 128
/** Milliseconds for which the head that Ponder polled last is returned as the newest number. */
const headKeptFor = 5_000

/**
 * Answers Ponder as a node does, from headers and logs alone.
 *
 * Ponder asks for each block with all its transactions, and checks that those of the logs are among them. Handlers need their
 * hashes only, which logs hold, so blocks are answered with the transactions of their logs, and these with nothing but hash
 * and position.
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

  /** Returns the transactions of a block's logs: from the logs of a range, or by the block's hash. */
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
    // An empty list is not kept: Ponder finds out that the bloom filter says otherwise, and asks again.
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

/** Leaves out what no handler reads, so that Ponder writes no unchecked field of a node. It requires `receiptsRoot`. */
const pickFields = ({ number, hash, parentHash, timestamp, logsBloom }: Header) => ({
  ...{ number, hash, parentHash, timestamp, logsBloom },
  receiptsRoot: zeroHash,
})

function toTransactions(found: ReadonlyMap<Hex, Hex>, blockHash: string, blockNumber: number): Transaction[] {
  // The fields that Ponder requires.
  const rest = { blockHash, blockNumber: numberToHex(blockNumber), from: zeroAddress, gasPrice: '0x0' as const }
  return [...found].map(([transactionIndex, hash]) => ({ hash, transactionIndex, ...rest }))
}

/** Adds an entry, and deletes the oldest ones beyond a number. */
function keep<value>(map: Map<string, value>, key: string, value: value, most: number): void {
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
