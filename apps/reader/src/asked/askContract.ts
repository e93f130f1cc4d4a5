import { type Community, viewIdentity } from '@lineage/communities'
import { eventKinds, type Grade, type SourceRow } from '@lineage/database'
import type { Address, Hex } from 'viem'
import type { Candidate, Decoder, EventRow } from '../decode.ts'
import type { HistoryLog } from '../history/HistorySource.ts'
import type { Nodes } from '../nodes/createNodes.ts'
import { mapConcurrently } from '../nodes/mapConcurrently.ts'
import { NodeError } from '../nodes/nodeError.ts'
import type { Header } from '../nodes/rpc.ts'
import type { CurrentReading, Reading, ReadingStep, Readings } from './readings.ts'
import { type ParentAnswer, readParents } from './readParents.ts'

/** A block at which the contract is asked. */
type Moment = Pick<Header, 'number' | 'hash' | 'time'>

export type AskParameters = {
  source: { community: Community; decoder: Decoder; row: SourceRow }
  nodes: Pick<Nodes, 'request' | 'headers'>
  readings: Readings
  /** Logs of the range of blocks. */
  logs: readonly HistoryLog[]
  range: { from: number; to: number }
  /** Blocks that have logs, by number. */
  moments: ReadonlyMap<number, Moment>
  /** Number of the newest block. */
  newest: number
  /** States that the nodes have. Candidates of blocks without states are left for a sweep. */
  states: 'archive' | 'recent'
  /** Members to ask at the last block, those who were not asked for the longest. */
  sweep: { count: number; at: Moment; upTo: number } | undefined
}

/** Binds and readings that follow from the contract's answers about a range of blocks. */
export type Answers = {
  /** Binds and unbinds, in any order. Some may be of earlier blocks than the range. */
  rows: EventRow[]
  step: ReadingStep
  /** Whether more members than asked for were never asked. */
  unasked: 'none' | 'some'
}

/** Asks the contract of a community who the referrers of candidates are, at the blocks that name them. */
export async function askContract(parameters: AskParameters): Promise<Answers> {
  const { source, readings, logs, range, sweep } = parameters
  const { community, decoder } = source
  const view = viewIdentity(community)
  const candidates = logs.flatMap(decoder.candidates)
  const named = [...new Set(candidates.map(({ member }) => member))]
  const start = community.startBlock - 1
  const kept = await readings.firstIn(view, range)
  const swept = sweep
    ? await readings.oldest(view, { changes: changesOf(community), upTo: sweep.upTo, limit: sweep.count })
    : []
  const known = new Map<Address, CurrentReading>(named.map((member) => [member, neverAsked(member, start)]))
  for (const reading of [...(await readings.current(view, named)), ...swept]) known.set(reading.member, reading)
  const found: Found = { known, changed: [], confirmed: new Map() }
  await askBlocks(parameters, candidates, found)
  if (sweep)
    await askAt(
      parameters,
      found,
      sweep.at,
      swept.map(({ member }) => member),
    )
  const isStillAsked = ({ member }: CurrentReading) =>
    (found.confirmed.get(member) ?? known.get(member)?.seen ?? start) <= start
  const changed = found.changed.map((reading) => moveLate(source, reading, sweep?.at))
  return {
    rows: [...kept, ...changed].map((reading) => toRow(reading, candidates)),
    step: {
      view,
      named,
      start,
      changed,
      confirmed: [...found.confirmed].map(([member, block]) => ({ member, block })),
    },
    unasked: sweep && swept.length === sweep.count && swept.some(isStillAsked) ? 'some' : 'none',
  }
}

const changesOf = ({ asked }: Community) => asked?.changes ?? 'once'

/** Answers so far. `known` holds the newest reading of each member. */
type Found = { known: Map<Address, CurrentReading>; changed: Reading[]; confirmed: Map<Address, number> }

const neverAsked = (member: Address, start: number): CurrentReading => ({
  ...{ member, parent: null, block: start, blockHash: null, time: 0, after: start, grade: 'exact', seen: start },
})

/** Number of newest blocks whose states every node has. */
const keptStates = 100
/** Number of blocks that are asked about at the same time. */
const concurrency = 8

/** Asks about the candidates of each block, at that block. */
async function askBlocks(parameters: AskParameters, candidates: readonly Candidate[], found: Found): Promise<void> {
  const oldest = parameters.states === 'archive' ? 0 : parameters.newest - keptStates
  const byBlock = Map.groupBy(
    candidates.filter(({ block }) => block >= oldest),
    ({ block }) => block,
  )
  const blocks = [...byBlock].toSorted(([left], [right]) => left - right)
  const asked = await mapConcurrently(blocks, concurrency, async ([number, named]) => {
    const moment = parameters.moments.get(number)
    const members = [...new Set(named.map(({ member }) => member))].filter((member) =>
      isOpen(parameters, found, member, number),
    )
    return moment && { moment, members, answers: await readAt(parameters, members, moment.hash) }
  })
  for (const one of asked) if (one) await noteAnswers(parameters, found, { ...one, grade: 'between' })
}

async function askAt(
  parameters: AskParameters,
  found: Found,
  moment: Moment,
  members: readonly Address[],
): Promise<void> {
  const open = members.filter((member) => isOpen(parameters, found, member, moment.number))
  const answers = await readAt(parameters, open, moment.hash)
  await noteAnswers(parameters, found, { moment, members: open, answers, grade: 'observed' })
}

/** Returns whether the referrer of a member at a block is still unknown. */
function isOpen(
  { source: { community } }: AskParameters,
  { known, confirmed }: Found,
  member: Address,
  block: number,
): boolean {
  const reading = known.get(member)
  if (!reading) return true
  if (changesOf(community) === 'once' && reading.parent !== null) return false
  return (confirmed.get(member) ?? reading.seen) < block
}

/** Returns the answers at a block; `undefined` for all if no node has its state. */
async function readAt(
  { source: { community }, nodes }: AskParameters,
  members: readonly Address[],
  at: Hex | number,
): Promise<ParentAnswer[]> {
  if (members.length === 0) return []
  try {
    return await readParents(nodes, community, members, at)
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'missing') return members.map(() => undefined)
    throw error
  }
}

/** Answers at one block; `grade` is that of the changes whose block is not found. */
type Asked = { moment: Moment; members: readonly Address[]; answers: readonly ParentAnswer[]; grade: Grade }

/** Notes the answers of one block, and finds the block of each change. */
async function noteAnswers(
  parameters: AskParameters,
  found: Found,
  { moment, members, answers, grade }: Asked,
): Promise<void> {
  const start = parameters.source.community.startBlock - 1
  const changes: { reading: CurrentReading; parent: Address | null }[] = []
  for (const [index, member] of members.entries()) {
    const reading = found.known.get(member) ?? neverAsked(member, start)
    const answer = answers[index]
    // Asked about a later block already, because several blocks are asked about at once.
    if (answer === undefined || !isOpen(parameters, found, member, moment.number)) continue
    const after = found.confirmed.get(member) ?? reading.seen
    if (answer === reading.parent) found.confirmed.set(member, moment.number)
    else changes.push({ reading: { ...reading, seen: after }, parent: answer })
  }
  const before = await readAt(
    parameters,
    changes.map(({ reading }) => reading.member),
    moment.number - 1,
  )
  for (const [index, { reading, parent }] of changes.entries()) {
    const { member } = reading
    const isExact = before[index] === reading.parent || reading.seen === moment.number - 1
    const last = isExact ? { moment, after: moment.number - 1 } : await narrow(parameters, reading, { parent, moment })
    const { number: block, hash: blockHash, time } = last.moment
    const changed = {
      member,
      parent,
      block,
      blockHash,
      time,
      after: last.after,
      grade: gradeOf(last.after, block, grade),
    }
    found.changed.push(changed)
    found.known.set(member, { ...changed, seen: moment.number })
    found.confirmed.set(member, moment.number)
  }
}

/** Returns the grade of a change between two blocks, which is `grade` unless they follow each other. */
const gradeOf = (after: number, block: number, grade: Grade): Grade => (after === block - 1 ? 'exact' : grade)

/** Finds the block of a change by bisection, as far as the nodes have the states of the blocks. */
async function narrow(
  parameters: AskParameters,
  { member, seen }: CurrentReading,
  { parent, moment }: { parent: Address | null; moment: Moment },
): Promise<{ moment: Moment; after: number }> {
  let after = seen
  let upTo = moment.number
  if (parameters.states === 'recent' && upTo - after > keptStates) return { moment, after }
  while (upTo - after > 1) {
    const middle = Math.floor((after + upTo) / 2)
    const [answer] = await readAt(parameters, [member], middle)
    if (answer === undefined) break
    if (answer === parent) upTo = middle
    else after = middle
  }
  const [header] = upTo < moment.number ? await parameters.nodes.headers([upTo]) : []
  return { moment: header ?? moment, after }
}

/** Positions of binds that no log names begin here in their block. */
const withoutLog = 2 ** 30

/**
 * Returns the reading of a change in a final block as one of the block that is stored now, because servers have read the final
 * block. A reorganisation of this block takes back both the row and the reading.
 */
function moveLate({ row }: AskParameters['source'], reading: Reading, at: Moment | undefined): Reading {
  const isLate = row.state === 'live' && reading.block <= row.finalized
  if (!isLate || !at) return reading
  const grade = reading.grade === 'exact' ? 'observed' : reading.grade
  return {
    ...reading,
    block: at.number,
    blockHash: at.hash,
    time: at.time,
    grade: gradeOf(reading.after, at.number, grade),
  }
}

/** Returns the row of a reading. */
function toRow(reading: Reading, candidates: readonly Candidate[]): EventRow {
  const { member, parent, block, blockHash, time, after, grade } = reading
  const own = candidates.find((candidate) => candidate.block === block && candidate.member === member)
  // Two members of one log need two positions.
  const isFirst = own && candidates.find((other) => other.block === block && other.logIndex === own.logIndex) === own
  return {
    block,
    logIndex: isFirst ? own.logIndex : withoutLog + (Number.parseInt(member.slice(-8), 16) % withoutLog),
    kind: eventKinds.indexOf('bind'),
    time,
    blockHash: blockHash as Hex,
    tx: own?.tx ?? null,
    txIndex: own?.txIndex ?? 0,
    member,
    other: parent,
    amount: null,
    raw: null,
    asked: { grade, first: after + 1 },
  }
}
