import { setTimeout as delay } from 'node:timers/promises'
import { type Answers, type AskedReadings, type AskParameters, askContract } from './asked/askContract.ts'
import { firstCallBlock, readCalls } from './asked/calls.ts'
import type { DirectCall } from './decode.ts'
import { decodeLogs, describeUnreadable, noteUnconfirmed, recordSteps, type Source } from './follow.ts'
import type { HistoryPart, HistorySource, LogFilter } from './history/HistorySource.ts'
import type { Log } from './log.ts'
import type { Nodes } from './nodes/createNodes.ts'
import { NodeError, toNodeError } from './nodes/nodeError.ts'
import { countBlocks } from './nodes/rpc.ts'
import type { SourceStep, Tables } from './tables.ts'

export type BackfillParameters = {
  sources: Source[]
  /** Last block to read: no reorganisation can replace it. */
  toBlock: number
  history: HistorySource
  nodes: Pick<Nodes, 'headers' | 'request' | 'wholeBlock'>
  tables: Pick<Tables, 'write' | 'takeBackReadings'>
  readings: AskedReadings
  /** States that the nodes have, for contracts that are asked. */
  states: AskParameters['states']
  /** Called after each part with the last stored block. */
  onProgress: (block: number) => void
  retry: Retry
  log: Log
}

/** Number of blocks that are stored at once if all of them are requested with their transactions. */
const wholeBlocksAtOnce = 500

/** Reads the final blocks that sources lack, a part while the one before is stored, so that the next start goes on after it. */
export async function backfill(parameters: BackfillParameters): Promise<void> {
  const { sources, toBlock, history, nodes, onProgress, retry } = parameters
  const filter = listMissing(sources)
  const firstCall = Math.min(...sources.map(({ community }) => firstCallBlock(community) ?? Number.POSITIVE_INFINITY))
  const read = (fromBlock: number): Promise<HistoryPart> => {
    const range = { fromBlock, toBlock: Math.min(toBlock, Math.max(firstCall, fromBlock) + wholeBlocksAtOnce) }
    const reading = retry(() => history.read(range, filter))
    // Stored later: a failure meanwhile is no unhandled rejection.
    reading.catch(() => undefined)
    return reading
  }
  let next: Promise<HistoryPart> | undefined = read(firstMissing(sources))
  while (next) {
    const part: HistoryPart = await next
    const end = part.range.toBlock
    next = end >= toBlock ? undefined : read(end + 1)
    const headers = next ? [] : await retry(() => nodes.headers([toBlock]))
    await storePart(parameters, part, headers)
    onProgress(end)
  }
}

/** Returns the first block that sources lack. */
export const firstMissing = (sources: readonly Source[]): number =>
  Math.min(...sources.map(({ row }) => Math.max(row.start_block, row.finalized + 1)))

export function listMissing(sources: readonly Source[]): LogFilter {
  return sources.flatMap(({ decoder, row }) =>
    decoder.filter.map((wanted) => ({ ...wanted, fromBlock: Math.max(wanted.fromBlock, row.finalized + 1) })),
  )
}

async function storePart(
  parameters: BackfillParameters,
  part: HistoryPart,
  headers: Awaited<ReturnType<Nodes['headers']>>,
) {
  const { sources, tables, log } = parameters
  const { range, logs, blocks } = part
  const times = new Map(blocks.map(({ number, timestamp }) => [Number(number), Number(timestamp)]))
  const behind = sources.filter(({ row }) => row.finalized < range.toBlock)
  const { calls, blocks: called } = await readWholeBlocks(parameters, behind, range)
  const steps: SourceStep[] = []
  for (const source of behind) {
    const { row, decoder, community } = source
    const missing = logs.filter(({ blockNumber }) => Number(blockNumber) > row.finalized)
    const { rows, unreadable } = decodeLogs(decoder, missing, times)
    if (unreadable > 0) log(describeUnreadable(community, unreadable), 'warn')
    const answers = community.asked
      ? await askHistory(parameters, source, { range, logs: missing, blocks: [...blocks, ...called], calls })
      : undefined
    const time = headers[0]?.time ?? rows.at(-1)?.time ?? row.block_time
    steps.push({
      id: row.id,
      rows: [...rows, ...(answers?.rows ?? [])],
      // Blocks that were not final when the last reader ended may have been replaced since.
      ...(row.block > row.finalized && { replaced: { from: row.finalized + 1 }, reread: 'stored' as const }),
      tip: { number: range.toBlock, time },
      finalized: range.toBlock,
      state: row.state,
      unreadable,
      readings: answers?.step,
    })
  }
  await tables.write(steps, headers)
  recordSteps(behind, steps)
  for (const { block, doubt } of part.doubts ?? []) for (const source of behind) noteUnconfirmed(source, block, doubt)
}

/** Reads the calls in a range of blocks, if the candidates of a source come from calls. */
function readWholeBlocks(
  { nodes, retry }: BackfillParameters,
  sources: readonly Source[],
  range: HistoryPart['range'],
) {
  const communities = sources.map(({ community }) => community)
  const isNeeded = communities.some((community) => (firstCallBlock(community) ?? range.toBlock + 1) <= range.toBlock)
  const numbers = isNeeded ? Array.from({ length: countBlocks(range) }, (_, index) => range.fromBlock + index) : []
  return retry(() =>
    readCalls(
      nodes,
      communities,
      numbers.map((number) => ({ number })),
    ),
  )
}

/** Asks a contract about the candidates of old blocks, if the nodes have their states. */
async function askHistory(
  { nodes, readings, states, tables, toBlock, retry }: BackfillParameters,
  source: Source,
  { range, logs, blocks, calls }: HistoryPart & { calls: readonly DirectCall[] },
): Promise<Answers> {
  const { row } = source
  if (row.block > row.finalized) await tables.takeBackReadings(row.id, row.finalized + 1)
  const moments = blocks.map(({ number, hash, timestamp }) => ({
    number: Number(number),
    hash,
    time: Number(timestamp),
  }))
  return retry(() =>
    askContract({
      source,
      nodes,
      readings,
      logs,
      calls: calls.filter(({ block }) => block > row.finalized),
      range: { from: Math.max(range.fromBlock, row.finalized + 1), to: range.toBlock },
      moments: new Map(moments.map((moment) => [moment.number, moment])),
      newest: toBlock,
      states,
      sweep: undefined,
    }),
  )
}

export type Retry = <result>(request: () => Promise<result>) => Promise<result>

/** Creates a function that repeats a request while the nodes fail. It logs the first failure after each success. */
export function createRetry({ log, retryAfter = 2_000 }: { log: Log; retryAfter?: number }): Retry {
  let state: 'reading' | 'failing' = 'reading'
  return async (request) => {
    for (;;) {
      try {
        const result = await request()
        state = 'reading'
        return result
      } catch (error) {
        if (!(error instanceof NodeError)) throw error
        if (state === 'reading')
          log(`The history cannot be read: ${toNodeError(error).message.replace(/\.$/, '')}. Retrying.`, 'error')
        state = 'failing'
        await delay(retryAfter)
      }
    }
  }
}
