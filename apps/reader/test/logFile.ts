import type { HistoryBlock, HistoryLog } from '../src/history/HistorySource.ts'

/** Columns that Dune exports, each with its value. */
const columns = {
  block_time: (_: HistoryLog, { timestamp }: HistoryBlock) =>
    new Date(Number(timestamp) * 1_000).toISOString().replace('T', ' ').replace('Z', ' UTC'),
  block_number: ({ blockNumber }: HistoryLog) => String(Number(blockNumber)),
  block_hash: ({ blockHash }: HistoryLog) => blockHash,
  contract_address: ({ address }: HistoryLog) => address,
  topic0: ({ topics }: HistoryLog) => topics[0] ?? '',
  topic1: ({ topics }: HistoryLog) => topics[1] ?? '',
  topic2: ({ topics }: HistoryLog) => topics[2] ?? '',
  topic3: ({ topics }: HistoryLog) => topics[3] ?? '',
  data: ({ data }: HistoryLog) => data,
  tx_hash: ({ transactionHash }: HistoryLog) => transactionHash,
  index: ({ logIndex }: HistoryLog) => String(Number(logIndex)),
  tx_index: ({ transactionIndex }: HistoryLog) => String(Number(transactionIndex)),
}

export const columnNames = Object.keys(columns)

/** Returns the values of a log, in the order of `columnNames`. */
export const toValues = (log: HistoryLog, block: HistoryBlock): string[] =>
  Object.values(columns).map((read) => read(log, block))

/** Formats rows as CSV without quotes. */
export const toCsv = (rows: readonly (readonly string[])[]): string => rows.map((row) => `${row.join()}\n`).join('')
