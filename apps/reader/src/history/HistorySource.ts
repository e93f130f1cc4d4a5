import type { Address, Hex } from 'viem'
import type { BlockRange } from '../nodes/rpc.ts'

/** A log as nodes return it. */
export type HistoryLog = {
  address: Address
  topics: readonly Hex[]
  data: Hex
  blockNumber: Hex
  blockHash: Hex
  transactionHash: Hex
  transactionIndex: Hex
  logIndex: Hex
}

/** The fields of a block's header that the tables need, as nodes return them. */
export type HistoryBlock = { number: Hex; hash: Hex; timestamp: Hex }

/** Why logs may be false, and the node to blame if there is only one. */
export type Doubt = { node: string | null; reason: string }

/** All logs of a range of blocks, and the blocks that they are in. */
export type HistoryPart = {
  range: BlockRange
  logs: HistoryLog[]
  blocks: HistoryBlock[]
  /** Name of the node that returned the logs, if only one has. */
  from?: string | undefined
  /** Blocks with logs that may be false, and why. */
  doubts?: readonly { block: number; doubt: Doubt }[]
}

/** Events to read: those of one contract with one first topic, from a block on. `topics`: the next topics, if given. */
type WantedLogs = { address: Address; topic: Hex; fromBlock: number; topics?: (Hex | null)[] }

/** Filter of the logs to read. */
export type LogFilter = readonly WantedLogs[]

/** Source of the contracts' history. */
export type HistorySource = {
  /** Reads as many blocks from the start of a range as suit the source. May return logs that the filter does not have. */
  read(range: BlockRange, filter: LogFilter): Promise<HistoryPart>
}

/** Returns whether a filter matches a log, whose address is in lower case. */
export function isWanted({ address, topics, blockNumber }: HistoryLog, filter: LogFilter): boolean {
  return filter.some(
    (wanted) =>
      wanted.topic === topics[0] && wanted.address.toLowerCase() === address && wanted.fromBlock <= Number(blockNumber),
  )
}

/** Returns a text that is the same for lists with the same logs. */
export const textOfLogs = (logs: readonly HistoryLog[]): string => logs.map(textOfLog).toSorted().join('\n')

const textOfLog = ({ blockNumber, blockHash, logIndex, transactionHash, address, topics, data }: HistoryLog) =>
  [Number(blockNumber), blockHash, Number(logIndex), transactionHash, address.toLowerCase(), topics, data].join()
