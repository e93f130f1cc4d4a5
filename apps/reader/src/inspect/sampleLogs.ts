import { type Address, type Hex, numberToHex } from 'viem'
import { findDeployment } from '../asked/readParents.ts'
import type { HistoryLog } from '../history/HistorySource.ts'
import type { Nodes } from '../nodes/createNodes.ts'
import { TooWideError, toNodeError } from '../nodes/nodeError.ts'
import { type BlockRange, countBlocks } from '../nodes/rpc.ts'

/** Logs of some ranges of a contract's history. */
export type Sample = {
  logs: HistoryLog[]
  /** `all`: every block was read. `some`: parts of the history. `none`: no node serves logs. */
  extent: 'all' | 'some' | 'none'
  /** First block that was read, with all blocks after it if `extent` is `all`. */
  from: number
  blocks: number
  requests: number
  /** Largest range that a request was served for. */
  width: number
}

/** Which logs: those of a contract, or those with these topics. */
export type LogWish = { address?: Address; topics?: (Hex | null)[] }

export type SampleLimits = { requests: number; logs: number; until: number }

/** Largest range that the reader requests. */
const maxWidth = 50_000

/**
 * Reads logs of the beginning and the end of a range, then of parts between, as wide as the nodes serve: all of the range
 * if that takes no more requests than allowed.
 */
export async function sampleLogs(
  nodes: Pick<Nodes, 'openHistory'>,
  wish: LogWish,
  range: BlockRange,
  limits: SampleLimits,
): Promise<Sample> {
  const sample: Sample = { logs: [], extent: 'some', from: range.toBlock, blocks: 0, requests: 0, width: 0 }
  let width = Math.min(countBlocks(range), maxWidth)
  let parts = order(split(range, width))
  let missing = 0
  while (parts.length > 0 && sample.requests < limits.requests && performance.now() < limits.until) {
    const part = parts.shift() as BlockRange
    sample.requests++
    const logs = await read(nodes, wish, part)
    if (Array.isArray(logs)) {
      sample.logs.push(...logs)
      sample.blocks += countBlocks(part)
      sample.from = Math.min(sample.from, part.fromBlock)
      sample.width = Math.max(sample.width, countBlocks(part))
      const isWhole = parts.length + sample.requests <= limits.requests
      if (sample.logs.length >= limits.logs && !isWhole) break
    } else if (logs.kind === 'missing' && !(logs instanceof TooWideError)) missing++
    else if (width <= 2 || logs.kind === 'unsupported') {
      if (sample.blocks === 0) sample.extent = 'none'
      break
    } else {
      const limit = logs instanceof TooWideError ? logs.maxBlocks : 0
      width = limit > 0 && limit < width ? limit : Math.floor(width / 2)
      parts = order([...split(part, width), ...parts.flatMap((one) => split(one, width))])
    }
  }
  if (missing > 0 && sample.blocks === 0) sample.extent = 'none'
  if (parts.length === 0 && missing === 0 && sample.extent === 'some') sample.extent = 'all'
  return sample
}

async function read(nodes: Pick<Nodes, 'openHistory'>, wish: LogWish, { fromBlock, toBlock }: BlockRange) {
  const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }
  try {
    return (await nodes.openHistory().logs({ method: 'eth_getLogs', params: [{ ...wish, ...range }] })) as HistoryLog[]
  } catch (error) {
    return toNodeError(error)
  }
}

function split({ fromBlock, toBlock }: BlockRange, size: number): BlockRange[] {
  const parts = Math.ceil((toBlock - fromBlock + 1) / size)
  return Array.from({ length: Math.min(parts, 100_000) }, (_, index) => ({
    fromBlock: fromBlock + index * size,
    toBlock: Math.min(fromBlock + (index + 1) * size - 1, toBlock),
  }))
}

/** Returns the first and the last range, then the middle, then the middles of what is left, and so on. */
function order(ranges: readonly BlockRange[]): BlockRange[] {
  const sorted = ranges.toSorted((left, right) => left.fromBlock - right.fromBlock)
  const places = new Set([0, sorted.length - 1])
  for (let step = sorted.length / 2; step >= 0.5; step /= 2)
    for (let at = step; at < sorted.length; at += step) places.add(Math.floor(at))
  return [...places].flatMap((place) => sorted[place] ?? [])
}

/** First block of a contract, as far as the nodes tell. */
export type Start = {
  block: number
  states: 'archive' | 'recent'
  level: 'found' | 'guess' | 'missing'
  evidence: string
}

type Parameters = { nodes: Nodes; address: Address; head: number; limits: SampleLimits }

/** Finds the block in which a contract was deployed: by its code in older blocks, or by its first log. */
export async function findStart(
  parameters: Parameters,
  given: number | undefined,
): Promise<{ start: Start; sample: Sample }> {
  const { nodes, address, head, limits } = parameters
  const deployed = await findDeployment(nodes, address, head + 1)
  const states = deployed === 'unknown' ? 'recent' : 'archive'
  const known = given ?? (deployed === 'unknown' ? undefined : (deployed ?? head))
  const range = { fromBlock: known ?? 0, toBlock: head }
  const sample = await sampleLogs(nodes, { address }, range, limits)
  if (given !== undefined) return { start: { block: given, states, level: 'found', evidence: 'you named it' }, sample }
  if (known !== undefined) {
    const evidence =
      known === 0 ? 'there is code in block 0' : `there is code in block ${known}, and none in block ${known - 1}`
    return { start: { block: known, states, level: 'found', evidence }, sample }
  }
  const first = firstLog(sample)
  if (sample.extent === 'all')
    return first === undefined
      ? {
          start: {
            block: 0,
            states,
            level: 'missing',
            evidence: 'the node has no older states, and the contract emitted no log',
          },
          sample,
        }
      : {
          start: {
            block: first,
            states,
            level: 'found',
            evidence: 'the first of all its logs is there; the node has no older states',
          },
          sample,
        }
  return { start: await narrow(parameters, sample), sample }
}

const firstLog = ({ logs }: Sample) =>
  logs.map(({ blockNumber }) => Number(blockNumber)).toSorted((left, right) => left - right)[0]

/** Looks for the first log by bisection, as if a contract emitted logs all the time. */
async function narrow({ nodes, address, limits }: Parameters, sample: Sample): Promise<Start> {
  let first = firstLog(sample)
  const states = 'recent'
  if (first === undefined || sample.extent === 'none')
    return {
      block: first ?? sample.from,
      states,
      level: 'missing',
      evidence: 'the node has neither older states nor older logs',
    }
  let empty = Math.max(sample.from - 1, 0)
  while (first - empty > sample.width) {
    const middle = Math.floor((empty + first) / 2)
    const range = { fromBlock: middle, toBlock: Math.min(middle + sample.width - 1, first - 1) }
    const found = await sampleLogs(nodes, { address }, range, { ...limits, requests: 4 })
    if (found.extent === 'none') break
    const earlier = firstLog(found)
    if (earlier === undefined) empty = middle
    else first = earlier
    sample.logs.push(...found.logs)
  }
  const range = { fromBlock: Math.max(first - sample.width, 0), toBlock: first }
  const found = await sampleLogs(nodes, { address }, range, { ...limits, requests: 4 })
  const block = firstLog(found) ?? first
  return {
    block,
    states,
    level: 'guess',
    evidence: `the first log that was found is there, and none in the ${sample.width} blocks before; the node has no older states`,
  }
}
