import { setTimeout as delay } from 'node:timers/promises'
import { toNodeError } from '../nodes/rpc/NodeError.ts'
import { type BlockRange, countBlocks } from '../nodes/rpc/rpcRequest.ts'
import type { HistoryPart, HistorySource, LogFilter } from './HistorySource.ts'

/** Tables that history is written to. */
export type HistoryStore = {
  /** Ranges of final blocks that were not read yet, in order. */
  missing: readonly BlockRange[]
  filter: LogFilter
  /** Saves a part as a whole, or not at all. */
  save(part: HistoryPart): Promise<void>
}

export type ReadHistoryParameters = {
  source: HistorySource
  store: HistoryStore
  /** Called after each part, with blocks counted. */
  onProgress?: (progress: { done: number; total: number }) => void
  log: (message: string) => void
  /** Milliseconds between two tries while the source fails. @default 2_000 */
  retryAfter?: number
}

/** Reads all that is missing, the next part while one is saved. A source that fails is tried again until it answers. */
export async function readHistory(parameters: ReadHistoryParameters): Promise<void> {
  const { source, store, onProgress = () => {}, log, retryAfter = 2_000 } = parameters
  const total = store.missing.reduce((sum, range) => sum + countBlocks(range), 0)
  let done = 0
  let state: 'reading' | 'failing' = 'reading'

  async function read(range: BlockRange): Promise<HistoryPart> {
    for (;;) {
      try {
        const part = await source.read(range, store.filter)
        state = 'reading'
        return part
      } catch (error) {
        if (state === 'reading') log(`The history cannot be read: ${toNodeError(error).message}. It is tried again.`)
        state = 'failing'
        await delay(retryAfter)
      }
    }
  }

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
