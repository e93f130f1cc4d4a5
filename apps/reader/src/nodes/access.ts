import type { NodeError } from './nodeError.ts'
import { type BlockRange, countBlocks } from './rpc.ts'

/**
 * Amount that one request to a node may cover: blocks of a range of logs, or requests of a batch. It is learned from
 * served and refused requests; a number in an error is only a first guess.
 */
export type Capacity = {
  size: number
  /** Smallest refused size; `Infinity` if none. */
  refused: number
  /** Number of served requests of this size since the last change. */
  served: number
  /** Number of served requests after which more than the refused size is tried: perhaps only one range had too many logs. */
  retryAfter: number
  /** How the last size was refused. A time-out costs seconds. */
  refusal: 'error' | 'timeout'
}

const firstRetry = { error: 16, timeout: 64 }
const lastRetry = 4_096

export const createCapacity = (size: number): Capacity => ({
  ...{ size, refused: Number.POSITIVE_INFINITY, served: 0 },
  ...{ retryAfter: firstRetry.error, refusal: 'error' as const },
})

/** Widens after a request of the full size was served: to twice the size, or halfway to the refused size. */
export function onServed(capacity: Capacity, size: number, max: number): Capacity {
  if (size < capacity.size) return capacity
  // A refused size that is served later was not refused for its size.
  const { refused, retryAfter, refusal } = size < capacity.refused ? capacity : createCapacity(size)
  const served = capacity.served + 1
  const isDue = served % retryAfter === 0
  const halfway = isDue ? Number.POSITIVE_INFINITY : Math.floor((capacity.size + refused) / 2)
  const wider = Math.min(capacity.size * 2, halfway, max)
  // Close to the refused size, another attempt would cost more than it gains.
  const least = refusal === 'error' ? capacity.size / 8 : capacity.size
  const isClose = refused < Number.POSITIVE_INFINITY && wider - capacity.size < least
  return isClose || wider <= capacity.size
    ? { size: capacity.size, refused, retryAfter, refusal, served }
    : { size: wider, refused, retryAfter, refusal, served: 0 }
}

/** Narrows after a request was refused: to the size in the error, or by half. A size that is refused again is tried ever later. */
export function onRefused(
  capacity: Capacity,
  size: number,
  suggested = 0,
  refusal: Capacity['refusal'] = 'error',
): Capacity {
  const isAgain = size >= capacity.refused && size <= capacity.size
  // The size before it was served.
  const isSuggested = suggested > 0 && suggested < size && !isAgain
  const narrower = isSuggested ? suggested : Math.max(Math.floor(size / 2), 1)
  return {
    size: Math.min(capacity.size, narrower),
    refused: Math.min(capacity.refused, size),
    served: 0,
    retryAfter: Math.max(Math.min(capacity.retryAfter * (isAgain ? 2 : 1), lastRetry), firstRetry[refusal]),
    refusal,
  }
}

/** Ways in which one node serves the headers of blocks. */
export type HeaderAccess = {
  /** `header`: the node offers `eth_getHeaderByNumber`. `block`: a block without its transactions, with all their hashes. */
  method: 'header' | 'block'
  /** Largest number of headers in one batch. */
  batch: Capacity
}

/** Largest batch: more would make one response slow without any gain. */
const maxBatch = 100

export const initialHeaders: HeaderAccess = { method: 'block', batch: createCapacity(maxBatch) }

export const onBatchServed = (headers: HeaderAccess, size: number): HeaderAccess => ({
  ...headers,
  batch: onServed(headers.batch, size, maxBatch),
})

export const onBatchRefused = (headers: HeaderAccess, size: number): HeaderAccess => ({
  ...headers,
  batch: onRefused(headers.batch, size),
})

/** Halves batches while a node rate-limits them without saying that they are too large: it may count their requests. */
export function onBatchLimited(headers: HeaderAccess, size: number): HeaderAccess {
  const { batch } = headers
  return { ...headers, batch: { ...batch, size: Math.min(batch.size, Math.max(Math.floor(size / 2), 2)) } }
}

/** Logs that one node serves. */
export type LogAccess = {
  /** `off`: the node refused even the logs of two blocks. It is tried again later. */
  availability: { status: 'on' } | { status: 'off'; until: number }
  /** Largest range of one request, in blocks; `Infinity` until the node names a limit, or times out. */
  width: Capacity
  /** Largest range that it has served and not refused since, in blocks. */
  served: number
  /** The first block whose logs the node keeps. */
  firstBlock: number
}

const offFor = 10_000

export const allLogs: LogAccess = {
  availability: { status: 'on' },
  width: createCapacity(Number.POSITIVE_INFINITY),
  served: 0,
  firstBlock: 0,
}

export const isOff = ({ availability }: LogAccess, now: number) =>
  availability.status === 'off' && availability.until > now

export const turnOn = (logs: LogAccess): LogAccess => ({ ...logs, availability: { status: 'on' } })

/** Turns logs on. Widens a limit that was fully used, because an error may have named a limit that is too small. */
export function onRangeServed(logs: LogAccess, range: BlockRange): LogAccess {
  const blocks = countBlocks(range)
  const width = onServed(logs.width, blocks, Number.POSITIVE_INFINITY)
  return turnOn({ ...logs, width, served: Math.max(logs.served, blocks) })
}

/** Narrows after a time-out: to what was served before, or by much, because each time-out takes seconds. */
export function onRangeTimedOut(logs: LogAccess, blocks: number): LogAccess {
  const narrow = Math.max(Math.floor(blocks / 8), 1)
  const size = logs.served < blocks ? Math.max(logs.served, narrow) : narrow
  return { ...logs, width: onRefused(logs.width, blocks, size, 'timeout'), served: Math.min(logs.served, size) }
}

/** Returns why a node cannot serve the logs of a range, or `undefined`. */
export function findObstacle({ firstBlock, width }: LogAccess, range: BlockRange) {
  if (range.fromBlock < firstBlock) return 'pruned'
  return countBlocks(range) > width.size ? 'too_wide' : undefined
}

/** Turns logs off if even two blocks were refused. Otherwise returns the `limit` of blocks in the error, if any. */
export function onRangeRefused(
  logs: LogAccess,
  range: BlockRange,
  { kind, message, rpcError }: NodeError,
  now: number,
) {
  const blocks = countBlocks(range)
  if (blocks <= 2 || kind === 'unsupported')
    return { logs: { ...logs, availability: { status: 'off', until: now + offFor } } } as const
  const limit = parseBlockLimit(rpcError?.message ?? message, blocks)
  const known = { ...logs, served: Math.min(logs.served, blocks - 1) }
  return { logs: limit === undefined ? known : { ...known, width: onRefused(logs.width, blocks, limit) }, limit }
}

/**
 * Parses from a node's error how many blocks one `eth_getLogs` request may cover. Returns `undefined` if it names no
 * such number: some nodes name none, and some limit the number of logs instead.
 *
 * @param blocks Number of requested blocks.
 */
export function parseBlockLimit(message: string, blocks: number): number | undefined {
  return numbersIn(message).findLast((number) => number >= 2 && number < blocks)
}

function numbersIn(message: string): number[] {
  const [, from, to] = /\[\s*(0x[0-9a-f]{1,14}),\s*(0x[0-9a-f]{1,14})\s*\]/i.exec(message) ?? []
  if (from && to) return [Number(to) - Number(from) + 1]
  if (/results|logs matched|response size|bytes|items/i.test(message)) return []
  return [...message.matchAll(limits)].map(([, digits = '', thousands]) => {
    return Number(digits.replaceAll(/[,_.]/g, '')) * (thousands ? 1_000 : 1)
  })
}

/** Matches "up to a 10 block range", "maximum is set to 5000", "limited to 1,000", "max is 10k blocks", "(5000 > 1000)". */
const limits = /(?:max|limit|up to|exceed|at most|greater than|over|distance|>)[^\d[\]]{0,60}(\d[\d,_.]{0,12})(k\b)?/gi
