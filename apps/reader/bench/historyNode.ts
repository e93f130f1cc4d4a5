/**
 * A node of a made-up chain, for `pnpm bench:index`: each block has one bind, among other transactions. It answers
 * after a delay, caps ranges of logs, and counts its requests.
 *
 * Runs as its own process with `{ binds, latency, transactions, range }` as JSON, and prints its URL.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, numberToHex, pad, toEventSelector } from 'viem'
import { bloomOf } from '../src/nodes/rpc.ts'
import { contract } from '../test/chain.ts'

export type HistoryNodeOptions = { binds: number; latency: number; transactions: number; range: number }
/** `requests` counts HTTP requests; `calls` also counts those inside batches. */
export type HistoryNodeStats = { requests: number; calls: Record<string, number>; bytes: number }

/** Number of blocks without a bind at the end, so that all binds are final. */
const quietBlocks = 40
const topic = toEventSelector('event Bound(address indexed member, address indexed referrer)')
const { binds, latency, transactions, range } = JSON.parse(process.argv[2] ?? '{}') as HistoryNodeOptions
const head = binds + quietBlocks

const hash = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`
const hashOf = (number: number) => hash(`block ${number}`)
const bindHash = (number: number) => hash(`transaction ${number}`)
const memberOf = (number: number) => pad(numberToHex(number + 0xabc000), { size: 32 })
const filled = (byte: string, bytes: number): Hex => `0x${byte.repeat(bytes)}`

function headerAt(number: number) {
  return {
    number: numberToHex(number),
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    timestamp: numberToHex(1_700_000_000 + Math.floor(number * 0.45)),
    logsBloom: number > binds ? filled('00', 256) : bloomOf([logAt(number)]),
    ...{ miner: filled('11', 20), gasUsed: '0x1c9c380', gasLimit: '0x8583b00', size: '0xf000', difficulty: '0x2' },
    ...{
      extraData: filled('22', 300),
      nonce: filled('00', 8),
      mixHash: filled('00', 32),
      sha3Uncles: filled('33', 32),
    },
    ...{ stateRoot: filled('44', 32), receiptsRoot: filled('55', 32), transactionsRoot: filled('66', 32) },
  }
}

const anyTransaction = (index: number) => ({
  ...{ hash: filled('77', 32), from: filled('88', 20), to: filled('99', 20), input: filled('aa', 68) },
  ...{ transactionIndex: numberToHex(index), blockHash: '#hash', blockNumber: '#number', nonce: '0x1', value: '0x0' },
  ...{
    type: '0x0',
    gas: '0x5208',
    gasPrice: '0x5f5e100',
    chainId: '0x38',
    v: '0x94',
    r: filled('bb', 32),
    s: filled('cc', 32),
  },
})
const others = JSON.stringify(Array.from({ length: transactions }, (_, index) => anyTransaction(index)))

/** Returns the block as JSON, with the transaction of the bind instead of the first one. */
function blockAt(number: number, whole: boolean): string {
  const header = JSON.stringify(headerAt(number)).slice(0, -1)
  const hashes = Array.from({ length: transactions }, (_, index) => (index === 0 ? bindHash(number) : filled('77', 32)))
  const list = whole
    ? others
        .replace(filled('77', 32), bindHash(number))
        .replaceAll('#hash', hashOf(number))
        .replaceAll('#number', numberToHex(number))
    : JSON.stringify(hashes)
  return `${header},"transactions":${list},"uncles":[]}`
}

function logAt(number: number) {
  return {
    ...{
      address: contract,
      topics: [topic, memberOf(number), memberOf(number >> 1)],
      data: '0x' as const,
      removed: false,
    },
    ...{ blockNumber: numberToHex(number), blockHash: hashOf(number) },
    ...{ transactionHash: bindHash(number), transactionIndex: '0x0', logIndex: '0x0' },
  }
}

function logsOf(from: number, to: number): string {
  const last = Math.min(to, binds)
  return JSON.stringify(Array.from({ length: Math.max(last - from + 1, 0) }, (_, index) => logAt(from + index)))
}

const numbers = new Map(Array.from({ length: head + 1 }, (_, number) => [hashOf(number), number]))
const fail = (code: number, message: string) => JSON.stringify({ code, message })

type Call = { id: unknown; method: string; params?: unknown[] }

/** Returns the result as JSON, or an error. */
function answer({ method, params: [block, whole] = [] }: Call): { result: string } | { error: string } {
  const numberOf = () => (block === 'latest' ? head : Number(block))
  if (method === 'eth_chainId') return { result: '"0x38"' }
  if (method === 'eth_blockNumber') return { result: `"${numberToHex(head)}"` }
  if (method === 'eth_getHeaderByNumber') return { result: JSON.stringify(headerAt(numberOf())) }
  if (method === 'eth_getBlockByNumber')
    return { result: numberOf() > head ? 'null' : blockAt(numberOf(), whole === true) }
  if (method === 'eth_getCode') return { result: '"0x60"' }
  if (method !== 'eth_getLogs') return { error: fail(-32601, `the method ${method} does not exist/is not available`) }
  const filter = block as { blockHash?: Hex; fromBlock: Hex; toBlock: Hex }
  const at = filter.blockHash && numbers.get(filter.blockHash)
  if (at !== undefined) return { result: logsOf(at, at) }
  if (Number(filter.toBlock) - Number(filter.fromBlock) >= range)
    return { error: fail(-32005, `exceed maximum block range: ${range}`) }
  return { result: logsOf(Number(filter.fromBlock), Number(filter.toBlock)) }
}

let stats: HistoryNodeStats = { requests: 0, calls: {}, bytes: 0 }

function respond(call: Call): string {
  stats.calls[call.method] = (stats.calls[call.method] ?? 0) + 1
  const found = answer(call)
  const body = 'result' in found ? `"result":${found.result}` : `"error":${found.error}`
  return `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},${body}}`
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/stats') {
    response.end(JSON.stringify(stats))
    stats = { requests: 0, calls: {}, bytes: 0 }
    return
  }
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const calls = JSON.parse(text) as Call | Call[]
  stats.requests++
  setTimeout(() => {
    const body = Array.isArray(calls) ? `[${calls.map(respond).join()}]` : respond(calls)
    stats.bytes += body.length
    response.end(body)
  }, latency)
}

const server = createServer((request, response) => void serve(request, response))
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
