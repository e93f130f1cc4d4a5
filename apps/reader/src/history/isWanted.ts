import type { HistoryLog, LogFilter } from './HistorySource.ts'

/** Returns whether a filter matches a log, whose address is in lower case. */
export function isWanted({ address, topics, blockNumber }: HistoryLog, filter: LogFilter): boolean {
  return filter.some(
    (wanted) =>
      wanted.topic === topics[0] && wanted.address.toLowerCase() === address && wanted.fromBlock <= Number(blockNumber),
  )
}
