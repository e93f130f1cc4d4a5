import type { Community } from '@lineage/communities'
import { eventKinds, type Grade, type SourceRow, withoutLog } from '@lineage/database'
import type { Address, Hex } from 'viem'
import type { Candidate, Decoder, DirectCall, EventRow } from '../decode.ts'
import type { HistoryLog } from '../history/HistorySource.ts'
import type { Nodes } from '../nodes/createNodes.ts'
import { mapConcurrently } from '../nodes/mapConcurrently.ts'
import { describeRpcError, isMisunderstood, NodeError } from '../nodes/nodeError.ts'
import type { Header, RpcRequest } from '../nodes/rpc.ts'
import type { CurrentReading, PastReading, Reading, ReadingStep, Readings } from './readings.ts'
import { type PlainAnswer, readAnswers, strangers } from './readParents.ts'

/** A block at which the contract is asked. */
type Moment = Pick<Header, 'number' | 'hash' | 'time'>

export type AskedReadings = Pick<Readings, 'current' | 'firstIn' | 'oldest' | 'above' | 'lineAt' | 'positions'>

export type AskParameters = {
  source: { community: Community; decoder: Decoder; row: SourceRow }
  nodes: Pick<Nodes, 'request' | 'headers'>
  readings: AskedReadings
  /** Logs of the range of blocks, and calls in it. */
  logs: readonly HistoryLog[]
  calls: readonly DirectCall[]
  range: { from: number; to: number }
  /** Blocks that have logs, by number. */
  moments: ReadonlyMap<number, Moment>
  /** Number of the newest block. */
  newest: number
  /** States that the nodes have. Candidates of blocks without states are left for a sweep. */
  states: 'archive' | 'recent'
  /** Newest block of the range, if it may still be replaced. */
  tip?: { number: number; hash: Hex }
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
  const { source, readings, logs, calls, range, sweep } = parameters
  const { community, decoder } = source
  const { id } = source.row
  const candidates = [...logs.flatMap(decoder.candidates), ...calls.flatMap(decoder.callers)]
  const named = [...new Set(candidates.map(({ member }) => member))]
  const start = community.startBlock - 1
  const kept = await readings.firstIn(id, range)
  const swept = sweep
    ? await readings.oldest(id, { changes: changesOf(community), upTo: sweep.upTo, limit: sweep.count })
    : []
  const known = new Map<Address, CurrentReading>(named.map((member) => [member, neverAsked(member, start)]))
  for (const reading of [...(await readings.current(id, named)), ...swept]) known.set(reading.member, reading)
  const found: Found = { known, changed: [], confirmed: new Map(), strangers: new Set() }
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
  const changed = await placeReadings(readings, id, found.changed, candidates)
  return {
    rows: [...kept, ...changed].map((reading) => toRow(reading, candidates)),
    step: {
      named: [...named, ...found.strangers],
      start,
      changed,
      tip: parameters.tip,
      confirmed: [...found.confirmed].map(([member, block]) => ({ member, block })),
    },
    unasked: sweep && swept.length === sweep.count && swept.some(isStillAsked) ? 'some' : 'none',
  }
}

const changesOf = ({ asked }: Community) => asked?.changes ?? 'once'

/** Answers so far. `known` holds the newest reading of each member. */
type Found = {
  known: Map<Address, CurrentReading>
  changed: Reading[]
  confirmed: Map<Address, number>
  /** Referrers that nothing has named before. */
  strangers: Set<Address>
}

const neverAsked = (member: Address, start: number): CurrentReading => ({
  member,
  parent: null,
  block: start,
  blockHash: null,
  time: 0,
  after: start,
  grade: 'exact',
  seen: start,
  position: null,
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
  const answered = asked.flatMap((one): Asked[] => (one ? [{ ...one, grade: 'between' }] : []))
  const before = await readBefore(parameters, found, answered)
  for (const [index, one] of answered.entries()) await noteAnswers(parameters, found, { ...one, before: before[index] })
}

type Before = ReadonlyMap<Address, Heard>

/** Reads the answers at the block before for the members of each block that have another referrer there for the first time. */
async function readBefore(parameters: AskParameters, found: Found, asked: readonly Asked[]): Promise<Before[]> {
  const changed = new Set<Address>()
  const firsts = asked.map(({ members, answers }) =>
    members.filter((member, index) => {
      const answer = answers[index]
      const isSame = !isTold(answer) || answer === (found.known.get(member)?.parent ?? null)
      if (isSame || changed.has(member)) return false
      changed.add(member)
      return true
    }),
  )
  return mapConcurrently([...asked.entries()], concurrency, async ([index, { moment }]) => {
    const members = firsts[index] ?? []
    const answers = await readAt(parameters, members, moment.number - 1)
    return new Map(members.map((member, at) => [member, answers[at]]))
  })
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

/** The answer about a member; `unknown` if no node has the state of the block. */
type Heard = PlainAnswer | 'unknown'

/** Returns whether an answer tells anything. */
const isTold = (heard: Heard): heard is Address | null => ![undefined, 'unknown', 'failed'].includes(heard as string)

async function readAt(
  { source: { community }, nodes }: AskParameters,
  members: readonly Address[],
  at: Hex | number,
): Promise<Heard[]> {
  if (members.length === 0) return []
  const request = (rpc: RpcRequest) =>
    nodes.request(rpc).catch(async (error) => {
      if (!namesHash(rpc) || !isNotUnderstood(error)) throw error
      // They may refuse the call for another reason.
      const latest = { ...rpc, params: [...rpc.params.slice(0, -1), 'latest'] }
      const ofLatest = await nodes.request(latest).catch((other) => other)
      throw new NodeError('unreachable', isNotUnderstood(ofLatest) ? describeRefusal(ofLatest) : noHashes)
    })
  try {
    return await readAnswers({ request }, community, members, at)
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'missing') return members.map(() => 'unknown')
    throw error
  }
}

const noHashes = 'no node that answers takes the hash of a block in eth_call (EIP-1898). Use another node'

const describeRefusal = ({ rpcError }: NodeError) =>
  `the nodes refuse calls of the view: ${rpcError ? describeRpcError(rpcError) : ''}. Use another node`

const namesHash = ({ params }: RpcRequest) => Object(params.at(-1)).blockHash !== undefined

/** Returns whether the nodes did not understand a request. They have not asked the contract then. */
const isNotUnderstood = (error: unknown): error is NodeError => error instanceof NodeError && isMisunderstood(error)

/** Answers at one block; `grade` is that of the changes whose block is not found. */
type Asked = {
  moment: Moment
  members: readonly Address[]
  answers: readonly Heard[]
  /** Answers at the block before that were read already. */
  before?: Before | undefined
  grade: Grade
}
/** Another answer about a member than before. */
type Change = { reading: CurrentReading; parent: Address | null }

/** Notes the answers of one block, and finds the block of each change. */
async function noteAnswers(parameters: AskParameters, found: Found, asked: Asked): Promise<void> {
  const { moment, grade } = asked
  const changes = listChanges(parameters, found, asked)
  const lines = await askAbove(parameters, found, moment, changes)
  const open = changes.map(({ reading }) => reading.member).filter((member) => !asked.before?.has(member))
  const answers = await readAt(parameters, open, moment.number - 1)
  const before = new Map([...(asked.before ?? []), ...open.map((member, at) => [member, answers[at]] as const)])
  const tell = createTeller(parameters, moment)
  const placed = await mapConcurrently(changes, concurrency, async (change) => {
    const { reading, parent } = change
    const heard = await tell(before.get(reading.member))
    const isExact = heard === reading.parent || (heard === 'unknown' && reading.seen === moment.number - 1)
    const last = isExact ? { moment, after: moment.number - 1 } : await narrow(parameters, change, moment, tell)
    const { number: block, hash: blockHash, time } = last.moment
    const placedAt = { block, blockHash, time, after: last.after, grade: gradeOf(last.after, block, grade) }
    return moveLate(parameters, { member: reading.member, parent, ...placedAt, position: null }, moment)
  })
  const canMove = changesOf(parameters.source.community) === 'any'
  for (const reading of canMove ? await orderMoves(parameters, found, placed, lines, moment) : placed) {
    const { member } = reading
    found.changed.push(reading)
    found.known.set(member, { ...reading, seen: moment.number })
    found.confirmed.set(member, moment.number)
  }
}

/** Returns what an answer tells. */
type Teller = (heard: Heard) => Promise<Address | null | 'unknown'>

/**
 * Creates the reading of answers at and before a block. A view that fails for a member tells that it has no referrer if it fails
 * for strangers too. One that answers for them may have come with an upgrade. A call that a node refused tells nothing: it may
 * lack the state, in words of its own.
 */
function createTeller(parameters: AskParameters, { hash }: Moment): Teller {
  let ofStranger: Promise<Heard[]> | undefined
  return async (heard) => {
    if (heard !== 'failed') return isTold(heard) ? heard : 'unknown'
    ofStranger ??= readAt(parameters, strangers.slice(0, 1), hash)
    return (await ofStranger)[0] === 'failed' ? null : 'unknown'
  }
}

/** Returns the answers that differ from earlier ones. Without an answer, the earlier one stands. */
function listChanges(parameters: AskParameters, found: Found, { moment, members, answers }: Asked): Change[] {
  const start = parameters.source.community.startBlock - 1
  return members.flatMap((member, index): Change[] => {
    const reading = found.known.get(member) ?? neverAsked(member, start)
    const heard = answers[index]
    // Asked about a later block already, because several blocks are asked about at once.
    if (heard === 'unknown' || !isOpen(parameters, found, member, moment.number)) return []
    const seen = found.confirmed.get(member) ?? reading.seen
    if (isTold(heard) && heard !== reading.parent) return [{ reading: { ...reading, seen }, parent: heard }]
    found.confirmed.set(member, moment.number)
    return []
  })
}

/** Returns the grade of a change between two blocks, which is `grade` unless they follow each other. */
const gradeOf = (after: number, block: number, grade: Grade): Grade => (after === block - 1 ? 'exact' : grade)

/**
 * Returns the reading of a change in a final block as one of the block at which it was heard of, because servers have read the
 * final block. A reorganisation of the later block takes back both the row and the reading.
 */
const moveLate = ({ source: { row } }: AskParameters, reading: Reading, heardAt: Moment): Reading =>
  row.state === 'live' && reading.block <= row.finalized ? moveTo(heardAt, reading) : reading

/** Returns a reading as one of a later block. */
function moveTo({ number, hash, time }: Moment, reading: Reading): Reading {
  const grade = gradeOf(reading.after, number, reading.grade === 'exact' ? 'observed' : reading.grade)
  return { ...reading, block: number, blockHash: hash, time, grade }
}

/** First block of a change, and the last one before it. */
type Place = { moment: Moment; after: number }

/** Finds the block of a change by bisection, as far as the nodes have the states of the blocks. */
async function narrow(
  parameters: AskParameters,
  { reading: { member, seen }, parent }: Change,
  moment: Moment,
  tell: Teller,
): Promise<Place> {
  let after = seen
  let upTo = moment.number
  if (parameters.states === 'recent' && upTo - after > keptStates) return { moment, after }
  const answerAt = async (block: number) => tell((await readAt(parameters, [member], block))[0])
  while (upTo - after > 1) {
    const middle = Math.floor((after + upTo) / 2)
    const answer = await answerAt(middle)
    if (answer === 'unknown') break
    if (answer === parent) upTo = middle
    else after = middle
  }
  // The contract may be older than the first block that is read.
  const isFirst = upTo === parameters.source.community.startBlock
  if (isFirst && after === seen && (await answerAt(seen)) === parent) after = -1
  const [header] = upTo < moment.number ? await parameters.nodes.headers([upTo]) : []
  return { moment: header ?? moment, after }
}

/** Number of referrers that nothing has named before and are asked about with a block: a view may make up any number. */
const mostStrangers = 500

/**
 * Asks about the members above those whose referrer has changed: about referrers that nothing has named, and where members can
 * move about those whose line would close a circle, because others have moved too, without a log. Adds their changes, and
 * returns the readings of all lines.
 */
async function askAbove(
  parameters: AskParameters,
  found: Found,
  moment: Moment,
  changes: Change[],
): Promise<CurrentReading[]> {
  const { community, row } = parameters.source
  const start = community.startBlock - 1
  const lines = new Map<Address, CurrentReading>()
  const asked = new Set(changes.map(({ reading }) => reading.member))
  let strangers = 0
  for (let fresh: readonly Change[] = changes; fresh.length > 0; ) {
    const parents = fresh.flatMap(({ parent }) => parent ?? [])
    for (const reading of await parameters.readings.above(row.id, parents)) lines.set(reading.member, reading)
    for (const reading of found.known.values()) lines.set(reading.member, reading)
    const unknown = parents.filter((parent) => !lines.has(parent)).slice(0, mostStrangers - strangers)
    strangers += unknown.length
    for (const parent of unknown) {
      found.strangers.add(parent)
      lines.set(parent, neverAsked(parent, start))
    }
    const above = new Map([...lines.values()].map(({ member, parent }) => [member, parent]))
    for (const { reading, parent } of changes) above.set(reading.member, parent)
    const circles =
      changesOf(community) === 'any' ? changes.flatMap(({ reading }) => findCircle(above, reading.member)) : []
    const open = [...new Set([...unknown, ...circles])].filter((member) => !asked.has(member) && lines.has(member))
    for (const member of open) {
      asked.add(member)
      found.known.set(member, lines.get(member) as CurrentReading)
    }
    const answers = await readAt(parameters, open, moment.hash)
    fresh = listChanges(parameters, found, { moment, members: open, answers, grade: 'observed' })
    changes.push(...fresh)
  }
  return [...lines.values()]
}

/** Returns the members above one up to itself; none if the line ends or goes on elsewhere. */
function findCircle(above: ReadonlyMap<Address, Address | null>, member: Address): Address[] {
  const line = new Set<Address>()
  for (let next = above.get(member); next && !line.has(next); next = above.get(next)) {
    line.add(next)
    if (next === member) return [...line]
  }
  return []
}

/**
 * Orders moves so that no member is moved below itself on the way: by block, and those higher up first. If that is not enough,
 * because moves in between are not known, all count from the block at which they were heard of.
 */
async function orderMoves(
  parameters: AskParameters,
  found: Found,
  moves: readonly Reading[],
  lines: readonly CurrentReading[],
  heardAt: Moment,
): Promise<readonly Reading[]> {
  const above = new Map(lines.map(({ member, parent }) => [member, parent]))
  const after = new Map([...above, ...moves.map(({ member, parent }) => [member, parent] as const)])
  const depthOf = ({ member }: Reading) => {
    const line = new Set<Address>()
    for (let next = after.get(member); next && !line.has(next); next = after.get(next)) line.add(next)
    return line.size
  }
  const depths = new Map(moves.map((move) => [move, depthOf(move)]))
  const byDepth = moves.toSorted((left, right) => (depths.get(left) ?? 0) - (depths.get(right) ?? 0))
  const ordered = byDepth.toSorted((left, right) => left.block - right.block)
  const isFree = ordered.every(({ member, parent }) => {
    above.set(member, parent)
    return findCircle(above, member).length === 0
  })
  if (isFree && !(await hasPastCircle(parameters, found, ordered, lines))) return ordered
  return byDepth.map((move) => moveTo(heardAt, move))
}

/** Number of moves above a member that are looked through for a circle. */
const mostPastMoves = 100

/**
 * Returns whether a move closes a circle in its block or later, by the moves that are stored or found: a member above it has moved
 * since, and an earlier move of that member was never heard of. Returns true too if too many members above it have moved to tell.
 */
async function hasPastCircle(
  parameters: AskParameters,
  found: Found,
  moves: readonly Reading[],
  lines: readonly CurrentReading[],
): Promise<boolean> {
  const current = new Map([...lines, ...moves].map((reading) => [reading.member, reading]))
  const fresh = Map.groupBy([...found.changed, ...moves], ({ member }) => member)
  for (const { member, parent, block } of moves) {
    if (parent === null || !hasMovedSince(current, parent, block)) continue
    let at = block
    for (let count = 0; at < Number.POSITIVE_INFINITY; count++) {
      const { line, next } = await readLine(parameters, fresh, parent, at)
      if (line.has(member) || count === mostPastMoves) return true
      at = next
    }
  }
  return false
}

/** Reads a member and those above it as of a block, and the block of the next move of one of them. */
async function readLine(
  { readings, source }: AskParameters,
  fresh: ReadonlyMap<Address, readonly Reading[]>,
  member: Address,
  at: number,
): Promise<{ line: ReadonlySet<Address>; next: number }> {
  const line = new Set<Address>()
  const stored = new Map<Address, PastReading>()
  let next = Number.POSITIVE_INFINITY
  for (let above: Address | null = member; above && !line.has(above); ) {
    line.add(above)
    if (!stored.has(above))
      for (const past of await readings.lineAt(source.row.id, above, at)) stored.set(past.member, past)
    const past = stored.get(above)
    const own: readonly Reading[] = fresh.get(above) ?? []
    next = Math.min(next, past?.next ?? next, ...own.flatMap(({ block }) => (block > at ? block : [])))
    above = (own.findLast(({ block }) => block <= at) ?? past)?.parent ?? null
  }
  return { line, next }
}

/** Returns whether a member, or one above it, has moved after a block. */
function hasMovedSince(current: ReadonlyMap<Address, Reading>, member: Address, block: number): boolean {
  const line = new Set<Address>()
  for (let next: Address | null = member; next && !line.has(next); next = current.get(next)?.parent ?? null) {
    if ((current.get(next)?.block ?? 0) > block) return true
    line.add(next)
  }
  return false
}

/** Gives each reading a position of its own in its block: that of the log that names the member, or one behind all logs. */
async function placeReadings(
  readings: AskedReadings,
  source: number,
  changed: readonly Reading[],
  candidates: readonly Candidate[],
): Promise<Reading[]> {
  if (changed.length === 0) return []
  const blocks = Map.groupBy(changed, ({ block }) => block)
  const taken = Map.groupBy(await readings.positions(source, [...blocks.keys()]), ({ block }) => block)
  return [...blocks].flatMap(([block, list]) => {
    const used = (taken.get(block) ?? []).map(({ position }) => position)
    const logs = list.map(({ member }) => findCandidate(candidates, block, member)?.logIndex ?? null)
    let next = Math.max(withoutLog - 1, ...used)
    let last = -1
    return list.map((reading, at) => {
      const index = logs[at] ?? -1
      last = index > last && !used.includes(index) ? index : ++next
      return { ...reading, position: last }
    })
  })
}

const findCandidate = (candidates: readonly Candidate[], block: number, member: Address) =>
  candidates.find((candidate) => candidate.block === block && candidate.member === member)

/** Returns the row of a reading. */
function toRow(
  { member, parent, block, blockHash, time, after, position, grade }: Reading,
  candidates: readonly Candidate[],
): EventRow {
  const own = findCandidate(candidates, block, member)
  return {
    block,
    logIndex: position ?? withoutLog,
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
