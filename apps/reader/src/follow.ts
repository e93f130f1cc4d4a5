import type { Community } from '@lineage/communities'
import type { SourceRow } from '@lineage/database'
import { type Answers, type AskedReadings, type AskParameters, askContract } from './asked/askContract.ts'
import { readCalls } from './asked/calls.ts'
import type { Decoder, DirectCall, EventRow } from './decode.ts'
import type { Doubt, HistoryLog } from './history/HistorySource.ts'
import type { Log } from './log.ts'
import type { Nodes } from './nodes/createNodes.ts'
import { mapConcurrently } from './nodes/mapConcurrently.ts'
import { NodeError } from './nodes/nodeError.ts'
import { finality, type Header } from './nodes/rpc.ts'
import { mayHoldLogs } from './nodes/settleLogs.ts'
import { type Plan, planStep } from './plan.ts'
import { keptHeaders, type SourceStep, type Tables } from './tables.ts'

/** A source of which this reader is the writer. */
export type Source = {
  community: Community
  decoder: Decoder
  row: SourceRow
  /** The source becomes live when it reaches this block: the newest one when the reading began. */
  target: number
  /** Time of the last sweep, by `performance.now()`. */
  sweptAt?: number
  /** Stored blocks whose events nothing proves. */
  unconfirmed?: readonly Unconfirmed[]
}

/** Sources that are at the same block of the same fork: they advance together. */
export type Group = {
  sources: Source[]
  /** Headers of the newest stored blocks, in order. */
  known: Header[]
  /** All logs up to this block were read a second time. */
  checkedTo: number
  /** Names of the nodes that returned the logs of the newest blocks. */
  readFrom: Map<number, string>
  /** Times in milliseconds: of the last look at final blocks, at those that nothing proved, and when `checkedTo` last grew. */
  lookedBackAt: number
  retriedAt: number
  checkedAt: number
  /** Why `checkedTo` does not grow, if it does not. */
  hindrance: string
}

/** Blocks whose events may be false, because nothing proves them, with the reason and the node to blame if there is only one. */
export type Unconfirmed = Doubt & { from: number; to: number }

/** Notes that nothing proves the events of a block, with other blocks for the same reason. */
export function noteUnconfirmed(source: Source, block: number, doubt: Doubt): void {
  const { unconfirmed: before = [] } = source
  const same = before.find(({ reason }) => reason === doubt.reason)
  const { from, to } = same ?? { from: block, to: block }
  const joined = { ...doubt, from: Math.min(from, block), to: Math.max(to, block) }
  source.unconfirmed = [...before.filter((one) => one !== same), joined]
}

/** Number of blocks that one transaction stores. */
const blocksAtOnce = 50
/** Number of final blocks that are read a second time after the start. */
const recheckedAtStart = 256
/** Number of concurrent requests for the logs of blocks. */
const concurrency = 8

export type AdvanceParameters = {
  group: Group
  newest: Header
  nodes: Pick<Nodes, 'headers' | 'blockLogs' | 'nodeOf' | 'request' | 'wholeBlock'>
  tables: Pick<Tables, 'write' | 'takeBackReadings'>
  readings: AskedReadings
  states: AskParameters['states']
  /** Milliseconds between two sweeps over the members of a contract that is asked. */
  sweepInterval: number
  log: Log
}

/** Returns the group of a source, with the headers that its tables have. */
export async function openGroup(source: Source, tables: Pick<Tables, 'loadHeaders'>): Promise<Group> {
  const headers = await tables.loadHeaders(source.row.id)
  const { start_block: start, finalized } = source.row
  // Some final blocks are checked again, because nodes may have been wrong until the last reader ended.
  const checkedTo = Math.max(start - 1, finalized - recheckedAtStart)
  const now = performance.now()
  return {
    ...{ sources: [source], known: headers, checkedTo, readFrom: new Map() },
    ...{ lookedBackAt: now, retriedAt: now, checkedAt: now, hindrance: 'they were not read again yet' },
  }
}

/** Joins groups that are at the same block of the same fork. */
export function joinGroups(groups: readonly Group[]): Group[] {
  const joined: Group[] = []
  for (const group of groups) {
    const tip = group.known.at(-1)
    const same = joined.find((other) => tip !== undefined && other.known.at(-1)?.hash === tip.hash)
    if (!same) joined.push(group)
    else {
      same.sources.push(...group.sources)
      same.checkedTo = Math.min(same.checkedTo, group.checkedTo)
      if (group.known.length > same.known.length) same.known = group.known
    }
  }
  return joined
}

/** Returns the first block that may be replaced. */
const lowestOf = ({ sources }: Group): number =>
  Math.min(...sources.map(({ row }) => Math.max(row.finalized + 1, row.start_block)))

/** Reads blocks from the nodes and stores them, if the nodes' chain continues the stored one. Returns what it did. */
export async function advanceGroup(parameters: AdvanceParameters): Promise<Exclude<Plan, { action: 'request' }>> {
  const { group, newest, nodes, log } = parameters
  const lowest = lowestOf(group)
  const next = (group.known.at(-1)?.number ?? lowest - 1) + 1
  if (group.known.length === 0 && newest.number < lowest) return { action: 'wait' }
  const chain = await readChain(next, newest, nodes)
  let plan = planStep({ known: group.known, lowest, chain })
  while (plan.action === 'request') {
    chain.unshift(...(await nodes.headers([plan.number])))
    plan = planStep({ known: group.known, lowest, chain })
  }
  if (plan.action !== 'store') return plan
  if (plan.fork < next) log(`The chain was reorganised from block ${plan.fork} on.`)
  await storeBlocks(parameters, plan)
  return plan
}

/** Reads the headers from `next` to the newest block, or some of them. */
async function readChain(next: number, newest: Header, nodes: Pick<Nodes, 'headers'>): Promise<Header[]> {
  const count = Math.min(newest.number - next, blocksAtOnce)
  if (count <= 0) return [newest]
  const headers = await nodes.headers(Array.from({ length: count }, (_, index) => next + index))
  return next + count === newest.number ? [...headers, newest] : headers
}

async function storeBlocks(parameters: AdvanceParameters, plan: Extract<Plan, { action: 'store' }>): Promise<void> {
  const { fork } = plan
  const { group, nodes, tables, log } = parameters
  const { headers, logs } = await readLogs(group, plan.headers, nodes)
  const { calls } = await readCalls(
    nodes,
    group.sources.map(({ community }) => community),
    headers,
  )
  const times = new Map(headers.map(({ number, time }) => [number, time]))
  const stored = group.known.at(-1)?.number ?? 0
  const tip = headers.at(-1) as Header
  const steps: SourceStep[] = []
  for (const source of group.sources) {
    const { row, decoder, community, target } = source
    const { rows, unreadable } = decodeLogs(decoder, logs, times)
    if (unreadable > 0) log(describeUnreadable(community, unreadable), 'warn')
    const isReplaced = fork <= stored
    const replaced = isReplaced ? fork : await findOtherFork(parameters, source, headers)
    if (replaced !== undefined && community.asked) await tables.takeBackReadings(row.id, replaced)
    const answers = community.asked ? await askAtHead(parameters, source, { headers, logs, calls }) : undefined
    const read = answers?.rows ?? []
    steps.push({
      id: row.id,
      rows: [...rows, ...read],
      ...(isReplaced && { replaced: { from: fork }, reread: 'stored' as const }),
      ...toReread(source, read, headers[0] as Header),
      tip,
      finalized: finalizedAt(tip.number, group, row),
      state: tip.number >= target && answers?.unasked !== 'some' ? 'live' : row.state,
      unreadable,
      readings: answers?.step,
    })
  }
  await tables.write(steps, headers)
  group.known = [...group.known.filter(({ number }) => number < fork), ...headers].slice(-keptHeaders)
  group.checkedTo = Math.min(group.checkedTo, fork - 1)
  recordSteps(group.sources, steps)
}

/** Returns the first new block of which the source took readings of another fork from an earlier source. */
async function findOtherFork({ readings }: AdvanceParameters, { row, community }: Source, headers: readonly Header[]) {
  if (!community.asked) return undefined
  const hashes = new Map(headers.map(({ number, hash }) => [number, hash]))
  const range = { from: headers[0]?.number ?? 0, to: headers.at(-1)?.number ?? 0 }
  const taken = await readings.firstIn(row.id, range)
  return taken.find(({ block, blockHash }) => hashes.get(block) !== blockHash)?.block
}

/** Servers read again what changes below the blocks that are stored now. */
function toReread({ row }: Source, rows: readonly EventRow[], first: Header): Pick<SourceStep, 'reread'> {
  const earliest = Math.min(...rows.map(({ block }) => block))
  if (earliest >= first.number) return {}
  return { reread: earliest > row.finalized ? 'stored' : 'final' }
}

/** Number of members that are asked for at the newest block before a source is live, and in a later sweep. */
const sweeps = { first: 10_000, later: 500 }

/** Asks a contract about the candidates of new blocks, and at the newest one also about others. */
async function askAtHead(
  { nodes, readings, newest, states, sweepInterval }: AdvanceParameters,
  source: Source,
  { headers, logs, calls }: { headers: readonly Header[]; logs: readonly HistoryLog[]; calls: readonly DirectCall[] },
): Promise<Answers> {
  const { row, community } = source
  const [first, tip] = [headers[0] as Header, headers.at(-1) as Header]
  const isFirst = row.state === 'backfill'
  const isDue = isFirst || performance.now() - (source.sweptAt ?? Number.NEGATIVE_INFINITY) >= sweepInterval
  const isAtHead = newest.number - tip.number <= headsApart
  if (isAtHead && isDue) source.sweptAt = performance.now()
  return askContract({
    source,
    nodes,
    readings,
    logs,
    calls,
    tip,
    range: { from: first.number, to: tip.number },
    moments: new Map(headers.map((header) => [header.number, header])),
    newest: newest.number,
    states,
    sweep:
      isAtHead && isDue
        ? {
            count: sweeps[isFirst ? 'first' : 'later'],
            at: tip,
            upTo: isFirst ? community.startBlock - 1 : tip.number - 1,
          }
        : undefined,
  })
}

/** Distance from the newest block up to which a block counts as the head: all nodes have its state. */
const headsApart = 10

/** Returns the newest final block of a source: its logs were read twice. */
export const finalizedAt = (tip: number, { checkedTo }: Pick<Group, 'checkedTo'>, { finalized }: SourceRow): number =>
  Math.max(finalized, Math.min(tip - finality, checkedTo))

/** Changes the rows of sources as their steps have changed the tables. */
export function recordSteps(sources: readonly Source[], steps: readonly SourceStep[]): void {
  for (const [index, source] of sources.entries()) {
    const { tip, finalized, state, reread, unreadable = 0 } = steps[index] as SourceStep
    const { row } = source
    source.row = {
      ...row,
      block: tip.number,
      block_time: tip.time,
      finalized,
      state,
      reorgs: row.reorgs + (reread === 'stored' ? 1 : 0),
      rebuilds: row.rebuilds + (reread === 'final' ? 1 : 0),
      unreadable: row.unreadable + unreadable,
    }
  }
}

export const describeUnreadable = ({ id }: Community, count: number): string =>
  `Community "${id}": ${count} ${count === 1 ? 'event was' : 'events were'} left out, because their arguments are not those of the configuration.`

/** Reads the logs of blocks whose bloom filter shows that they may have some, up to a block whose logs no node returns. */
async function readLogs(
  group: Group,
  headers: readonly Header[],
  nodes: AdvanceParameters['nodes'],
): Promise<{ headers: readonly Header[]; logs: HistoryLog[] }> {
  const { readFrom } = group
  const filter = group.sources.flatMap(({ decoder }) => decoder.filter)
  const holding = headers.filter((header) => mayHoldLogs(filter, header))
  let failure: NodeError | undefined
  const found = await mapConcurrently(holding, concurrency, async (header) => {
    if (failure) return undefined
    return nodes.blockLogs(header).catch((error) => {
      if (!(error instanceof NodeError)) throw error
      failure = error
      return undefined
    })
  })
  const missing = found.indexOf(undefined)
  const end = missing < 0 ? headers.length : headers.indexOf(holding[missing] as Header)
  if (failure && end === 0) throw failure
  const logs = found.slice(0, missing < 0 ? undefined : missing) as HistoryLog[][]
  for (const [index, one] of logs.entries()) readFrom.set((holding[index] as Header).number, nodes.nodeOf(one) ?? '')
  for (const number of readFrom.keys()) if (readFrom.size > keptHeaders) readFrom.delete(number)
  return { headers: headers.slice(0, end), logs: logs.flat() }
}

/** Decodes logs for one source, and counts those that cannot be decoded. `times` are those of the blocks. */
export function decodeLogs(
  decoder: Decoder,
  logs: readonly HistoryLog[],
  times: ReadonlyMap<number, number>,
): { rows: EventRow[]; unreadable: number } {
  const rows: EventRow[] = []
  let unreadable = 0
  for (const log of logs) {
    const decoded = decoder.decode(log, times.get(Number(log.blockNumber)) as number)
    if (decoded) rows.push(...decoded)
    else unreadable++
  }
  return { rows, unreadable }
}
