import type { NodeError } from '../rpc/NodeError.ts'
import { type BlockRange, countBlocks } from '../rpc/rpcRequest.ts'
import { parseBlockLimit } from './parseBlockLimit.ts'

/** Logs that one node serves. */
export type LogAccess = {
  /** `off`: the node refused even the logs of two blocks. It is tried again later. */
  availability: { status: 'on' } | { status: 'off'; until: number }
  /** Largest range of one request, in blocks. */
  maxBlocks: number
  /** The first block whose logs the node keeps. */
  firstBlock: number
  /** Parameters of the wide request that last timed out. */
  timedOutOn: string | undefined
}

const offFor = 60_000

export const allLogs: LogAccess = {
  availability: { status: 'on' },
  maxBlocks: Number.POSITIVE_INFINITY,
  firstBlock: 0,
  timedOutOn: undefined,
}

export const isOff = ({ availability }: LogAccess, now: number) =>
  availability.status === 'off' && availability.until > now

export const turnOn = (logs: LogAccess): LogAccess => ({ ...logs, availability: { status: 'on' } })

/** Turns logs on. Doubles a limit that was fully used, because an error may have named a limit that is too small. */
export function onRangeServed(logs: LogAccess, range: BlockRange): LogAccess {
  const isWhole = countBlocks(range) >= logs.maxBlocks
  return turnOn(isWhole ? { ...logs, maxBlocks: logs.maxBlocks * 2 } : logs)
}

/** Returns why a node cannot serve the logs of a range, or `undefined`. */
export function findObstacle({ firstBlock, maxBlocks }: LogAccess, range: BlockRange) {
  if (range.fromBlock < firstBlock) return 'pruned'
  return countBlocks(range) > maxBlocks ? 'too_wide' : undefined
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
  return { logs: limit === undefined ? logs : { ...logs, maxBlocks: limit }, limit }
}
