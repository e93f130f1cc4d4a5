import type { Address } from 'viem'
import { findDeployment } from '../asked/readParents.ts'
import type { Nodes } from '../nodes/createNodes.ts'
import { type Sample, type SampleLimits, sampleLogs } from './sampleLogs.ts'

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
