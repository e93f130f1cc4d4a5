import { addressPattern } from '@lineage/referral-api/address'
import type { HistoryLog } from '../history/HistorySource.ts'
import { bloomOf, type Header, heightOf, isNewest, logRangeOf, parseQuantity, type RpcRequest } from './rpc.ts'

/**
 * Returns what is wrong with a node's result, or `undefined`. Checks every field that is read later, so that a
 * malformed result counts against its node and the next node is asked. The formats follow the specification.
 *
 * @see https://ethereum.github.io/execution-apis/
 */
export function findFault(rpc: RpcRequest, result: unknown): string | undefined {
  if (rpc.method === 'eth_getLogs') return findLogsFault(rpc, result)
  if (rpc.method === 'eth_getBlockByNumber') return findBlockFault(rpc, result)
  if (rpc.method === 'eth_blockNumber' && !isQuantity(result)) return 'it returned a newest block that is not a number'
  if (rpc.method === 'eth_call' && !isBytes(result)) return 'it returned the result of a call that is not hexadecimal'
  return undefined
}

type Check = (value: unknown) => boolean

/** Leading zeros and capital letters violate the specification, but mean the same number. */
const isQuantity = (value: unknown, largest = Number.MAX_SAFE_INTEGER) => (parseQuantity(value) ?? Infinity) <= largest
/** The forest keeps blocks and times in 32 bits; the largest value is reserved. */
const isWord: Check = (value) => isQuantity(value, 2 ** 32 - 2)
/** Tables keep positions as 32-bit integers. */
const isPosition: Check = (value) => isQuantity(value, 2 ** 31 - 1)
const isBytes = (value: unknown, length?: number) =>
  typeof value === 'string' &&
  value.length % 2 === 0 &&
  (length === undefined || value.length === 2 + 2 * length) &&
  /^0x[0-9a-f]*$/.test(value)
const isHash: Check = (value) => isBytes(value, 32)
/** The only value that may contain capital letters, as a checksum. */
const isAddress: Check = (value) => typeof value === 'string' && addressPattern.test(value)
const isTopics: Check = (value) => Array.isArray(value) && value.length <= 4 && value.every(isHash)
/** A removed log belongs to a block that is no longer on the chain. */
const isNotRemoved: Check = (value) => value === undefined || value === null || value === false

const blockFields: Readonly<Record<string, Check>> = {
  number: isWord,
  hash: isHash,
  parentHash: isHash,
  timestamp: isWord,
  logsBloom: (value) => isBytes(value, 256),
}

const logFields: Readonly<Record<string, Check>> = {
  blockNumber: isWord,
  blockHash: isHash,
  logIndex: isPosition,
  transactionHash: isHash,
  transactionIndex: isPosition,
  address: isAddress,
  topics: isTopics,
  data: (value) => isBytes(value),
  removed: isNotRemoved,
}

/** Returns the name of a field with a malformed value, or `undefined`. */
const findField = (fields: Readonly<Record<string, Check>>, value: object) =>
  Object.keys(fields).find((name) => !fields[name]?.((value as Record<string, unknown>)[name]))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function findBlockFault(rpc: RpcRequest, block: unknown): string | undefined {
  if (block === null) return isNewest(rpc) ? 'it returned no newest block' : undefined
  if (!isObject(block)) return 'it returned a block that is not an object'
  const field = findField(blockFields, block)
  if (field !== undefined) return `it returned a block with an invalid ${field}`
  const number = Number((block as { number: string }).number)
  return number === (heightOf(rpc) ?? number) ? undefined : 'it returned another block than requested'
}

const transactionFields: Readonly<Record<string, Check>> = {
  hash: isHash,
  transactionIndex: isPosition,
  from: isAddress,
  // A transaction that deploys a contract calls none.
  to: (value) => value === undefined || value === null || isAddress(value),
  input: (value) => isBytes(value),
}

/** Root of an empty list of transactions. */
const noTransactions = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** Returns what is wrong with the transactions of a block, or `undefined`. */
export function findTransactionsFault(block: unknown): string | undefined {
  if (block === null) return undefined
  const { transactions, transactionsRoot } = block as { transactions?: unknown; transactionsRoot?: unknown }
  const isLacking = Array.isArray(transactions) && transactions.length === 0 && transactionsRoot !== noTransactions
  if (!Array.isArray(transactions) || isLacking) return 'it returned a block without its transactions'
  for (const one of transactions) {
    if (!isObject(one)) return 'it returned a transaction that is not an object'
    const field = findField(transactionFields, one)
    if (field !== undefined) return `it returned a transaction with an invalid ${field}`
  }
  return undefined
}

const isTopicFilter: Check = (value) => typeof value === 'string' || (Array.isArray(value) && value.length > 0)

function findLogsFault(rpc: RpcRequest, logs: unknown): string | undefined {
  if (!Array.isArray(logs)) return 'it returned logs that are not a list'
  const range = logRangeOf(rpc)
  const filter = rpc.params[0] as { blockHash?: unknown; topics?: unknown } | null | undefined
  const hash = filter?.blockHash
  const wantsTopics = Array.isArray(filter?.topics) && isTopicFilter(filter.topics[0])
  const positions = new Set<string>()
  for (const log of logs as readonly unknown[]) {
    if (!isObject(log)) return 'it returned a log that is not an object'
    const field = findField(logFields, log)
    if (field !== undefined) return `it returned a log with an invalid ${field}`
    const { blockNumber, blockHash, logIndex } = log as Record<'blockNumber' | 'blockHash' | 'logIndex', string>
    const number = Number(blockNumber)
    const isOutside = range && (number < range.fromBlock || number > range.toBlock)
    if (isOutside || (hash ?? blockHash) !== blockHash) return 'it returned logs of another block than requested'
    if (wantsTopics && (log as { topics: unknown[] }).topics.length === 0) return 'it returned a log without topics'
    positions.add(`${number} ${logIndex}`)
  }
  return positions.size === logs.length ? undefined : 'it returned duplicate logs'
}

/** Seconds that a block may be ahead of this machine's clock, which may be wrong itself. */
const largestLead = 7_200

/** Returns the fault of a block from the future, or `undefined`. */
export function findTimeFault(block: unknown): string | undefined {
  const time = parseQuantity((block as { timestamp?: unknown } | null | undefined)?.timestamp) ?? 0
  if (time <= Date.now() / 1_000 + largestLead) return undefined
  return 'it returned a block from the future (or the clock of this machine is wrong)'
}

/**
 * Returns why a list of logs cannot be all logs of a block, or `undefined`: their indexes have gaps, or their addresses
 * and topics lead to another bloom filter than the header's. Nodes leave logs out without an error while their index of
 * logs lags or is damaged.
 */
export function findBlockLogsFault({ number, bloom }: Header, logs: readonly HistoryLog[]): string | undefined {
  const indexes = logs.map(({ logIndex }) => Number(logIndex)).toSorted((left, right) => left - right)
  const isComplete = indexes.every((index, at) => index === at) && bloomOf(logs) === bloom
  return isComplete ? undefined : `it returned logs of block ${number} that do not match its bloom filter`
}

/** Drops logs that a list has more than once, in exactly the same form. */
export function dropRepeats(logs: unknown): unknown {
  if (!Array.isArray(logs)) return logs
  const found = new Map<string, object | null>()
  return logs.filter((log: Partial<HistoryLog> | null) => {
    const position = `${log?.blockHash} ${log?.logIndex}`
    const same = found.get(position)
    found.set(position, log)
    return !same || JSON.stringify(same) !== JSON.stringify(log)
  })
}
