import type { ServerResponse } from 'node:http'
import { createGzip } from 'node:zlib'
import { type Hex, keccak256, numberToHex } from 'viem'
import type { Ask, Behaviour } from './proxy.ts'

type Log = {
  address: string
  topics: Hex[]
  data: Hex
  blockNumber: Hex
  blockHash: Hex
  transactionHash: Hex
  logIndex: Hex
}
type Header = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex; logsBloom: Hex }
type Filter = { blockHash?: Hex; fromBlock?: Hex; toBlock?: Hex }

const filterOf = (params: readonly unknown[]) => params[0] as Filter

/** Changes lists of logs: all of them, or those of one block by its hash. */
const logs =
  (change: (logs: Log[], ask: Ask, filter: Filter) => unknown, which: 'by hash' | 'all' = 'all'): Behaviour =>
  ({ method, params }) => {
    const filter = filterOf(params)
    if (method !== 'eth_getLogs' || (which === 'by hash' && !filter.blockHash)) return undefined
    return { change: (found: never, ask) => (Array.isArray(found) ? change(found, ask, filter) : found) }
  }

const eachLog = (change: (log: Log, index: number, all: readonly Log[]) => object) =>
  logs((all) => all.map((log, index) => ({ ...log, ...change(log, index, all) })))

const swapped = ({ topics: [first, ...rest] }: Log) => ({ topics: [first, ...rest.toReversed()] })

/** Changes all logs, also in the receipts of blocks, or with an error instead of these. */
function each(change: (log: Log) => object, receipts: 'receipts too' | 'without receipts'): Behaviour {
  const changeLogs = (found: Log[]) => found.map((log) => ({ ...log, ...change(log) }))
  return (call, response) => {
    if (call.method !== 'eth_getBlockReceipts') return logs(changeLogs)(call, response)
    if (receipts === 'without receipts') return { error: { code: -32601, message: 'the method does not exist' } }
    return {
      change: (all: { logs: Log[] }[]) => all.map((receipt) => ({ ...receipt, logs: changeLogs(receipt.logs) })),
    }
  }
}

/** Changes the headers of blocks. */
const headers =
  (change: (header: Header) => object | null): Behaviour =>
  ({ method }) =>
    ['eth_getBlockByNumber', 'eth_getHeaderByNumber'].includes(method)
      ? { change: (header: Header | null) => header && change(header) }
      : undefined

const later = (seconds: number) =>
  headers((header) => ({ ...header, timestamp: numberToHex(Number(header.timestamp) + seconds) }))

/** Answers every request with this response. */
const respond =
  (write: (response: ServerResponse) => void): Behaviour =>
  (_, response) => {
    write(response)
    return 'taken'
  }

/** Answers requests of one method. */
const answer =
  (methods: readonly string[], result: unknown): Behaviour =>
  ({ method }) =>
    methods.includes(method) ? { result } : undefined

const without = (log: Log, field: keyof Log) => Object.fromEntries(Object.entries(log).filter(([key]) => key !== field))
const falseHash = (hash: Hex): Hex => keccak256(hash)
const filled = (byte: string, bytes: number): Hex => `0x${byte.repeat(bytes)}`

/** Leaves out all logs of the newest blocks. */
const lag = (blocks: number) =>
  logs(async (found, ask) => {
    const head = Number(await ask('eth_blockNumber', []))
    return found.filter(({ blockNumber }) => Number(blockNumber) <= head - blocks)
  })

/** Returns the blocks of a fork of its own from the third newest block on, without any log. */
function fork(): Behaviour {
  let first: number | undefined
  const isForked = (number: number) => number >= (first ?? 0)
  return ({ method, params }) => {
    if (method === 'eth_getLogs') {
      const { blockHash, toBlock } = filterOf(params)
      return blockHash || isForked(Number(toBlock)) ? { result: [] } : undefined
    }
    return headers((header) => {
      const number = Number(header.number)
      first ??= number - 2
      if (!isForked(number)) return header
      const parentHash = isForked(number - 1) ? falseHash(header.parentHash) : header.parentHash
      return { ...header, hash: falseHash(header.hash), parentHash, logsBloom: filled('00', 256) }
    })({ method, params, id: 0 }, undefined as never)
  }
}

/** Returns the newest block of the first request again and again. */
function freeze(): Behaviour {
  let head: Hex | undefined
  const keep = (number: Hex) => {
    head ??= number
    return head
  }
  return ({ method, params: [block] }) => {
    if (method === 'eth_blockNumber') return { change: keep }
    if (method !== 'eth_getBlockByNumber' || String(block) !== 'latest') return undefined
    return { change: (header: Header, ask) => ask('eth_getBlockByNumber', [keep(header.number), false]) }
  }
}

/** Ways in which a node lies, each with what it does. */
export const lies: Readonly<Record<string, () => Behaviour>> = {
  'leaves the first log of a block out by hash': () => logs((found) => found.slice(1), 'by hash'),
  'leaves the last log of a block out by hash': () => logs((found) => found.slice(0, -1), 'by hash'),
  'leaves one of several logs out': () => logs((found) => (found.length > 1 ? found.slice(0, -1) : found)),
  'leaves every third log out': () => logs((found) => found.filter((_, index) => index % 3 !== 1)),
  'has an index of logs that lags 60 blocks': () => lag(60),
  'has an index of logs that lags 5 blocks': () => lag(5),
  'returns no logs by hash': () => logs(() => [], 'by hash'),
  'returns no logs': () => logs(() => []),
  'cuts lists of logs after two': () => logs((found) => found.slice(0, 2)),
  'cuts lists of logs before the last two': () => logs((found) => found.slice(-2)),
  'cuts lists of logs after ten': () => logs((found) => found.slice(0, 10)),
  'cuts lists of logs after 4,000 bytes': () =>
    logs((found) => found.filter((_, at) => JSON.stringify(found.slice(0, at + 1)).length < 4_000)),
  'leaves out the middle of lists of logs': () =>
    logs((found) => found.filter((_, at) => at === 0 || at === found.length - 1)),
  'returns null instead of logs': () => answer(['eth_getLogs'], null),
  'returns an object instead of logs': () => answer(['eth_getLogs'], {}),
  'cuts topics off': () => eachLog(({ topics }) => ({ topics: topics.slice(0, 1) })),
  'returns logs without data': () => logs((found) => found.map((log) => without(log, 'data'))),
  'returns logs with other data': () =>
    eachLog(({ data }) => ({ data: data === '0x' ? filled('01', 32) : filled('01', (data.length - 2) / 2) })),
  'swaps topics': () => eachLog(swapped),
  'swaps topics, in receipts too': () => each(swapped, 'receipts too'),
  'swaps topics, without receipts': () => each(swapped, 'without receipts'),
  'returns logs with other topics': () =>
    eachLog(({ topics: [first, ...rest] }) => ({ topics: [first, ...rest.map(falseHash)] })),
  'repeats every log': () => logs((found) => found.flatMap((log) => [log, log])),
  'repeats every log at another place': () =>
    logs((found) => [...found, ...found.map((log, at) => ({ ...log, logIndex: numberToHex(found.length + at) }))]),
  'returns logs in reverse order': () => eachLog((_, index, all) => ({ logIndex: all.at(-1 - index)?.logIndex })),
  'returns logs at false places': () => eachLog(({ logIndex }) => ({ logIndex: numberToHex(Number(logIndex) + 1) })),
  'returns logs of other transactions': () =>
    eachLog(({ transactionHash }) => ({ transactionHash: falseHash(transactionHash) })),
  'returns logs of another address': () => eachLog(() => ({ address: filled('c0', 20) })),
  'returns logs of the block before': () =>
    logs(async (found, ask, { blockHash }) => {
      const block = (await ask('eth_getBlockByHash', [blockHash, false])) as Header
      const before = (await ask('eth_getLogs', [{ blockHash: block.parentHash }])) as Log[]
      return [...before.map((log) => ({ ...log, blockHash, blockNumber: block.number })), ...found.slice(1)]
    }, 'by hash'),
  'returns logs with another hash of their block': () =>
    eachLog(({ blockHash }) => ({ blockHash: falseHash(blockHash) })),
  'returns logs with another number of their block': () =>
    eachLog(({ blockNumber }) => ({ blockNumber: numberToHex(Number(blockNumber) - 1) })),
  'returns removed logs': () => eachLog(() => ({ removed: true })),
  'writes addresses in odd case': () => eachLog(({ address }) => ({ address: `0x${address.slice(2).toUpperCase()}` })),
  'writes numbers of logs as decimals': () =>
    eachLog(({ blockNumber, logIndex }) => ({ blockNumber: Number(blockNumber), logIndex: String(Number(logIndex)) })),
  'returns times 70 years ahead': () => later(70 * 365 * 86_400),
  'returns times ten minutes ahead': () => later(600),
  'returns times ten minutes back': () => later(-600),
  'returns times a year back': () => later(-365 * 86_400),
  'returns empty bloom filters': () => headers((header) => ({ ...header, logsBloom: filled('00', 256) })),
  'returns full bloom filters': () => headers((header) => ({ ...header, logsBloom: filled('ff', 256) })),
  'returns other hashes of blocks': () => headers((header) => ({ ...header, hash: falseHash(header.hash) })),
  'returns other parents of blocks': () =>
    headers((header) => ({ ...header, parentHash: falseHash(header.parentHash) })),
  'returns the numbers of the blocks before': () =>
    headers((header) => ({ ...header, number: numberToHex(Number(header.number) - 1) })),
  'writes numbers of blocks as decimals': () => headers((header) => ({ ...header, number: Number(header.number) })),
  'returns null instead of blocks': () => headers(() => null),
  'returns an old head again and again': freeze,
  'returns a head far ahead': () => (call, response) =>
    call.method === 'eth_blockNumber'
      ? { change: (number: Hex) => numberToHex(Number(number) + 1_000_000) }
      : String(call.params[0]) === 'latest'
        ? headers((header) => ({ ...header, number: numberToHex(Number(header.number) + 1_000_000) }))(call, response)
        : undefined,
  'is on another chain': () => answer(['eth_chainId'], '0x1'),
  'is on a fork of its own': fork,
  'returns an error page': () => respond((response) => response.end('<html><body>502 Bad Gateway</body></html>')),
  'returns nothing': () => respond((response) => response.end()),
  'returns half an answer': () => respond((response) => response.end('{"jsonrpc":"2.0","id":1,"result":[{"addr')),
  'returns huge answers': () =>
    respond((response) => {
      const write = () => {
        while (!response.destroyed && response.write('0'.repeat(1_000_000)));
      }
      response.on('drain', write)
      response.write('{"jsonrpc":"2.0","id":1,"result":"0x')
      write()
    }),
  'returns an answer that grows a thousandfold': () =>
    respond((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      const zip = createGzip()
      zip.pipe(response)
      const zeros = Buffer.alloc(1_000_000, '0')
      for (let megabytes = 0; megabytes < 200; megabytes++) zip.write(zeros)
      zip.end()
    }),
  'answers drop by drop': () =>
    respond((response) => {
      const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write(' ')), 100)
    }),
  'never answers': () => () => 'taken',
  'breaks every connection': () => () => {
    throw new Error('broken')
  },
  'swaps the answers of a batch': () => (call) => ({ change: (result: unknown) => result, id: Number(call.id) ^ 1 }),
  'answers with other ids': () => (call) => ({ change: (result: unknown) => result, id: Number(call.id) + 1_000 }),
}
