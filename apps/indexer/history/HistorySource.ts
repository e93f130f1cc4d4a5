import type { Address, Hex } from 'viem'
import type { BlockRange } from '../nodes/rpc/rpcRequest.ts'

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
export type HistoryBlock = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex }

/** All logs of a range of blocks, and the blocks that they are in. */
export type HistoryPart = { range: BlockRange; logs: HistoryLog[]; blocks: HistoryBlock[] }

/** Which logs are read: those of these contracts with one of these first topics. */
export type LogFilter = { addresses: readonly Address[]; topics: readonly Hex[] }

/** Source of the contracts' history. */
export type HistorySource = {
  /** Reads from the first block of a range on, as far as suits the source. The part begins there, and is within the range. */
  read(range: BlockRange, filter: LogFilter): Promise<HistoryPart>
}
