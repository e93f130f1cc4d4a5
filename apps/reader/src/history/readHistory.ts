import { type BlockRange, countBlocks } from '../nodes/rpc/rpcRequest.ts'
import type { Retry } from './createRetry.ts'
import type { HistoryPart, HistorySource, LogFilter } from './HistorySource.ts'

/** Tables that receive the history. */
export type HistoryStore = {
  /** Ranges of final blocks that are not read yet, in order. */
  missing: readonly BlockRange[]
  filter: LogFilter
  /** Saves all of a part or nothing. */
  save(part: HistoryPart): Promise<void>
}

export type ReadHistoryParameters = {
  source: HistorySource
  store: HistoryStore
  /** Called after each part, with numbers of blocks. */
  onProgress?: (progress: { done: number; total: number }) => void
  retry: Retry
}

/** Reads all missing ranges, the next part while one is saved. A failing source is retried until it answers. */
export async function readHistory(parameters: ReadHistoryParameters): Promise<void> {
  const { source, store, onProgress = () => {}, retry } = parameters
  const total = store.missing.reduce((sum, range) => sum + countBlocks(range), 0)
  let done = 0
  const read = (range: BlockRange): Promise<HistoryPart> => retry(() => source.read(range, store.filter))

  for (const { fromBlock, toBlock } of store.missing) {
    let next: Promise<HistoryPart> | undefined = read({ fromBlock, toBlock })
    while (next) {
      const part: HistoryPart = await next
      const from = part.range.toBlock + 1
      next = from > toBlock ? undefined : read({ fromBlock: from, toBlock })
      await store.save(part)
      done += countBlocks(part.range)
      onProgress({ done, total })
    }
  }
}
