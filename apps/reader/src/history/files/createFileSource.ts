import type { BlockRange } from '../../nodes/rpc/rpcRequest.ts'
import type { Retry } from '../createRetry.ts'
import type { HistoryBlock, HistorySource, LogFilter } from '../HistorySource.ts'
import { compareWithNodes } from './compareWithNodes.ts'
import { openHistoryFiles } from './openHistoryFiles.ts'

export type CreateFileSourceParameters = {
  /** Path of a file or a folder. */
  path: string
  filter: LogFilter
  /** Source of the blocks outside of the files. */
  nodes: HistorySource
  /** Ranges of blocks to read, in order. */
  missing: readonly BlockRange[]
  ask: Retry
  log: (message: string) => void
  random?: () => number
}

/**
 * Creates a source that reads history from files of logs, after comparing them with the nodes, and from the nodes
 * before the files' first block and after their last one.
 *
 * @throws {HistoryFileError} if the files cannot be used
 */
export async function createFileSource(parameters: CreateFileSourceParameters): Promise<HistorySource> {
  const { path, filter, nodes, missing, ask, log, random } = parameters
  const files = await openHistoryFiles(path, filter)
  const { read, ignored } = files.names
  if (read.length + ignored.length > 1) log(`LINEAGE_HISTORY reads ${list(read)}; it ignores ${list(ignored)}.`)
  const covered = {
    fromBlock: Math.max(files.covered.fromBlock, missing[0]?.fromBlock ?? 0),
    toBlock: Math.min(files.covered.toBlock, missing.at(-1)?.toBlock ?? 0),
  }
  if (covered.fromBlock > covered.toBlock) {
    log('LINEAGE_HISTORY has no block that was not read yet: unset it.')
    return nodes
  }
  const compared = await compareWithNodes({ files, range: covered, filter, nodes, ask, ...(random && { random }) })
  log(
    `LINEAGE_HISTORY has ${files.count} logs of blocks ${covered.fromBlock} to ${covered.toBlock}. Compared with the nodes: ${compared.logs} logs, in ${compared.blocks} blocks.`,
  )
  return {
    async read(range, wanted) {
      const { fromBlock, toBlock } = range
      if (fromBlock < covered.fromBlock)
        return nodes.read({ fromBlock, toBlock: Math.min(toBlock, covered.fromBlock - 1) }, wanted)
      if (fromBlock > covered.toBlock) return nodes.read(range, wanted)
      const part = await files.read({ fromBlock, toBlock: Math.min(toBlock, covered.toBlock) })
      const blocks = new Map(part.logs.map(({ number, block }): [number, HistoryBlock] => [number, block]))
      return { range: part.range, logs: part.logs.map((one) => one.log), blocks: [...blocks.values()] }
    },
  }
}

/** Largest number of file names in a log line. */
const mostNames = 20

function list(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return `${names.slice(0, mostNames).join(', ') || 'nothing'}${more}`
}
