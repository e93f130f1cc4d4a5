import type { Nodes } from '../nodes/createNodes.ts'
import { countBlocks } from '../nodes/rpc/rpcRequest.ts'
import { serveWaiting } from '../nodes/serveWaiting.ts'
import { createNodeSource } from './createNodeSource.ts'
import { createRetry } from './createRetry.ts'
import { createFileSource } from './files/createFileSource.ts'
import type { HistorySource } from './HistorySource.ts'
import { type HistoryStore, readHistory } from './readHistory.ts'

export type PrepareHistoryParameters = {
  store: HistoryStore
  nodes: Nodes
  /** Path of a file or folder of logs to read instead of the nodes' logs. */
  files: string | undefined
  /** Port of the API. Until the API starts, the progress is served there. */
  port: number
  log: (message: string) => void
}

/** Number of missing blocks below which the rest is left to Ponder. */
const minBlocks = 1_000

/**
 * Reads the history that Ponder has not read. This is many times faster than Ponder, which requests each block with
 * an event separately.
 *
 * @throws {HistoryFileError} if the files cannot be used
 */
export async function prepareHistory({ store, nodes, files, port, log }: PrepareHistoryParameters): Promise<void> {
  const total = store.missing.reduce((sum, range) => sum + countBlocks(range), 0)
  if (total < minBlocks) return
  let done = 0
  const note = 'The history of the contracts is read.'
  const waiting = serveWaiting(port, () => {
    const warnings = nodes.warnings().map((warning) => ({ ...warning, community: null }))
    return { code: 'indexing', warnings, note, progress: { phase: 'indexing', done, total } }
  })
  const startedAt = performance.now()
  log(`Reading the history of ${total} blocks.`)
  const retry = createRetry({ log })
  let source: HistorySource = createNodeSource(nodes)
  if (files !== undefined) {
    const { filter, missing } = store
    source = await createFileSource({ path: files, filter, missing, nodes: source, ask: retry, log })
  }
  await readHistory({
    source,
    store,
    retry,
    onProgress(progress) {
      done = progress.done
    },
  })
  log(`Read the history of ${total} blocks in ${Math.round((performance.now() - startedAt) / 1_000)} s.`)
  await waiting.close()
}
