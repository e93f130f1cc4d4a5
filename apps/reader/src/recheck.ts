import { eventKinds } from '@lineage/database'
import type { ReadingStep, Readings } from './asked/readings.ts'
import type { EventRow } from './decode.ts'
import { decodeLogs, finalizedAt, type Group, noteUnconfirmed, recordSteps, type Source } from './follow.ts'
import type { HistoryLog, HistoryPart, HistorySource } from './history/HistorySource.ts'
import type { Log } from './log.ts'
import type { Nodes } from './nodes/createNodes.ts'
import { headerAt } from './nodes/headers.ts'
import { mapConcurrently } from './nodes/mapConcurrently.ts'
import { toNodeError } from './nodes/nodeError.ts'
import { hashHeader } from './nodes/proofs.ts'
import { type BlockRange, finality, type Header, toHeader } from './nodes/rpc.ts'
import type { Settled } from './nodes/settleLogs.ts'
import type { SourceStep, Tables } from './tables.ts'

export type RecheckParameters = {
  group: Group
  /** Reads logs and headers from other nodes than usual, if there are others. */
  others: HistorySource
  nodes: Pick<Nodes, 'headers' | 'settle' | 'areSeveral' | 'request'>
  tables: Pick<Tables, 'loadRows' | 'compareTime' | 'write'>
  readings: Pick<Readings, 'current'>
  log: Log
  /** Called for each block of which a node returned other logs than it has; `undefined` for an unknown node. */
  onWrong: (node: string | undefined, block: number) => void
}

/** Number of newest blocks that are not checked yet: nodes may lag behind each other. */
const unsettled = 15
/** Number of blocks that are checked together, so that a check costs a tenth of a request a block. */
const blocksAtOnce = 10
/** Largest number of blocks that are checked while new ones wait. */
const mostAtOnce = 40
/** Number of concurrent requests for receipts. */
const concurrency = 4

/**
 * Reads the logs of blocks a second time before the blocks become final, from another node where there is one, and stores
 * those that differ anew. If there is only one node, the receipts of the blocks prove their logs.
 */
export async function recheckGroup(parameters: RecheckParameters): Promise<void> {
  const { group } = parameters
  const tip = group.known.at(-1)
  if (!tip || tip.number - unsettled - blocksAtOnce < group.checkedTo) return
  const fromBlock = Math.max(group.checkedTo + 1, 0)
  const range = { fromBlock, toBlock: Math.min(tip.number - unsettled, fromBlock + mostAtOnce) }
  const checked = await checkRange(parameters, range).catch((error) => {
    group.hindrance = toNodeError(error).message
    throw error
  })
  if (!checked) return
  group.checkedTo = checked.nextFrom - 1
  group.checkedAt = performance.now()
  const isDelayed = group.sources.some(({ row }) => row.finalized < Math.min(tip.number - finality, group.checkedTo))
  if (isDelayed) await storeSteps(parameters, toSteps(group, tip))
}

/** Distances from the newest final block at which blocks are checked once more: each block comes by each of them. */
const distances = [100, 1_000, 10_000, 100_000, 1_000_000]
/** Milliseconds between two looks at final blocks, and at those that nothing proved. */
const [lookBackInterval, retryInterval] = [60_000, 10_000]
/** Number of blocks to check at each distance: more than the chain adds in the interval. */
const lookBackWidth = 160

/** Checks some final blocks again each minute: a lone node may lie for long. After a difference, all since are checked. */
export async function lookBack(parameters: RecheckParameters, now: number): Promise<void> {
  const { group } = parameters
  await retryUnconfirmed(parameters, now)
  if (now - group.lookedBackAt < lookBackInterval) return
  group.lookedBackAt = now
  const first = Math.min(...group.sources.map(({ row }) => row.start_block))
  const anywhere = Math.floor(Math.random() * (group.checkedTo - first))
  for (const distance of [...distances, anywhere]) {
    const fromBlock = group.checkedTo - distance
    if (fromBlock < first) continue
    const range = { fromBlock, toBlock: Math.min(fromBlock + lookBackWidth, group.checkedTo) }
    const checked = await checkRange(parameters, range)
    if (checked && (checked.healed || checked.nextFrom < fromBlock))
      group.checkedTo = Math.min(fromBlock, checked.nextFrom) - 1
  }
}

/** Checks the first of the blocks again that nothing proved. Once something does, all blocks since are checked again. */
async function retryUnconfirmed(parameters: RecheckParameters, now: number): Promise<void> {
  const { group } = parameters
  if (now - group.retriedAt < retryInterval) return
  group.retriedAt = now
  for (const source of group.sources)
    for (const before of source.unconfirmed ?? []) {
      const checked = await checkRange(parameters, { fromBlock: before.from, toBlock: before.from })
      if (!checked || checked.unconfirmed > 0) continue
      source.unconfirmed = source.unconfirmed?.filter((one) => one !== before)
      group.checkedTo = Math.min(group.checkedTo, before.from - 1, checked.nextFrom - 1)
    }
}

/**
 * Reads a range, or its first part, a second time, and stores the blocks that differ anew. Returns the block to check next, and
 * the numbers of those that differed, and of those that nothing proves; `undefined` while the nodes are on different forks.
 */
async function checkRange(parameters: RecheckParameters, range: BlockRange) {
  const { group, others, nodes } = parameters
  const filter = group.sources.flatMap(({ decoder }) => decoder.filter)
  const again = await others.read(range, filter)
  if (!isSameFork(group, again)) {
    group.hindrance = `${again.from ?? 'a node'} is on another fork than the index`
    return undefined
  }
  const doubts = await findDoubts(parameters, again)
  const headers = doubts.length > 0 ? await nodes.headers(doubts.map(({ number }) => number)) : []
  const settled = await mapConcurrently(headers, concurrency, (header) => nodes.settle(header, filter))
  const count = { healed: 0, unconfirmed: 0 }
  for (const [index, header] of headers.entries()) {
    const found = { header, ...(settled[index] as Settled), second: again.from }
    const outcome = await heal(parameters, doubts[index] as Doubtful, found)
    // Earlier blocks have false times: they are stored anew first, so that times never go back.
    if (typeof outcome === 'number') return { nextFrom: outcome, ...count }
    if (outcome !== 'confirmed') count[outcome]++
  }
  await nameMissed(parameters, again)
  return { nextFrom: again.range.toBlock + 1, ...count }
}

function isSameFork({ known }: Group, { blocks }: HistoryPart): boolean {
  const hashes = new Map(known.map(({ number, hash }) => [number, hash]))
  return blocks.every(({ number, hash }) => (hashes.get(Number(number)) ?? hash) === hash)
}

/** A block whose stored rows may not be right. */
type Doubtful = {
  number: number
  /** Rows of each source as text. */
  stored: Map<Source, string | undefined>
  /** Whether the logs that were read again lead to other rows. */
  differs: boolean
}

/** Returns the blocks that lead to other rows than the stored ones, and those that one node alone returned both times. */
async function findDoubts({ group, tables, nodes }: RecheckParameters, part: HistoryPart): Promise<Doubtful[]> {
  const isAlone = !nodes.areSeveral()
  const isUnconfirmed = (number: number) =>
    isAlone || (part.from !== undefined && group.readFrom.get(number) === part.from)
  const times = new Map(part.blocks.map(({ number, timestamp }) => [Number(number), Number(timestamp)]))
  const doubts = new Map<number, Doubtful>()
  for (const source of group.sources) {
    const { row, decoder } = source
    const { fromBlock: from, toBlock: to } = part.range
    const stored = groupByBlock((await tables.loadRows(row.id, { from, to })).filter((one) => isOfLog(source, one)))
    const again = groupByBlock(decodeLogs(decoder, part.logs, times).rows)
    for (const number of new Set([...stored.keys(), ...again.keys()])) {
      const differs = stored.get(number) !== again.get(number)
      if (!differs && !isUnconfirmed(number)) continue
      const doubt = doubts.get(number) ?? { number, stored: new Map(), differs: false }
      doubt.stored.set(source, stored.get(number))
      doubts.set(number, { ...doubt, differs: doubt.differs || differs })
    }
  }
  return [...doubts.values()]
}

/** Returns whether a row follows from a log. Binds of contracts that are asked do not. */
const isOfLog = ({ community }: Source, { kind }: EventRow) => !community.asked || eventKinds[kind] !== 'bind'

/** Stores the candidates that the first reading of the logs has missed: the next sweep asks about them. */
async function nameMissed(parameters: RecheckParameters, { logs }: HistoryPart): Promise<void> {
  const { group, readings } = parameters
  const tip = group.known.at(-1) as Header
  const missed = new Map<Source, ReadingStep>()
  for (const source of group.sources.filter(({ community }) => community.asked)) {
    const named = new Set(logs.flatMap(source.decoder.candidates).map(({ member }) => member))
    for (const { member } of await readings.current(source.row.id, [...named])) named.delete(member)
    const start = source.community.startBlock - 1
    if (named.size > 0) missed.set(source, { start, named: [...named], changed: [], confirmed: [] })
  }
  if (missed.size === 0) return
  const steps = group.sources.map((source) => ({ ...toStep(source, group, tip), readings: missed.get(source) }))
  await storeSteps(parameters, steps)
}

/** Returns the rows of each block as text, in order. */
function groupByBlock(rows: readonly EventRow[]): Map<number, string> {
  const blocks = Map.groupBy(rows, ({ block }) => block)
  return new Map([...blocks].map(([block, own]) => [block, own.map(toText).toSorted().join('\n')]))
}

const toText = ({ logIndex, kind, time, blockHash, tx, txIndex, member, other, amount, raw }: EventRow) =>
  [logIndex, kind, time, blockHash, tx, txIndex, member, other, amount, raw].join()

type Found = Settled & { header: Header; second: string | undefined }

/**
 * Stores the rows of a block that are not stored. Of several lists of logs that may be right, the stored one stays. Returns
 * the number of an earlier block if that has a false time.
 */
async function heal(
  parameters: RecheckParameters,
  { number, stored, differs }: Doubtful,
  { header, candidates, doubt, second }: Found,
): Promise<'confirmed' | 'healed' | 'unconfirmed' | number> {
  const { group, log, onWrong } = parameters
  const known = group.known.find((one) => one.number === number)
  if (known && known.hash !== header.hash) return 'confirmed'
  const times = new Map([[number, header.time]])
  const listDiffering = (logs: readonly HistoryLog[]) =>
    [...stored].filter(
      ([{ decoder }, text]) => text !== groupByBlock(decodeLogs(decoder, logs, times).rows).get(number),
    )
  const differing = candidates.map(listDiffering)
  const isStored = differing.some(({ length }) => length === 0)
  const isDisputed = doubt && (candidates.length === 1 || differing.some(({ length }) => length > 0))
  if (isDisputed) for (const source of stored.keys()) noteUnconfirmed(source, number, doubt)
  else if (isStored && differs) onWrong(second, number)
  if (isStored) return isDisputed ? 'unconfirmed' : 'confirmed'
  const order = await compareTimes(parameters, header)
  if (order.isContradicted) {
    if (!(await isProven(parameters, header))) {
      const reason = `the time of block ${number} contradicts those of other blocks, and its hash proves none of them`
      for (const source of stored.keys()) noteUnconfirmed(source, number, { node: second ?? null, reason })
      return 'unconfirmed'
    }
    if (order.before !== undefined) return order.before
  }
  const [logs] = candidates
  const toRows = ({ decoder }: Source) => decodeLogs(decoder, logs, times).rows
  const node = group.readFrom.get(number)
  log(`${node ?? 'A node'} returned other events of block ${number} before. The block is read anew.`, 'warn')
  onWrong(node, number)
  const sources = differing[0]?.map(([source]) => source) ?? []
  const changed = group.known.map((one) => (one.number === number ? { ...one, time: header.time } : one))
  const tip = changed.at(-1) as Header
  const steps: SourceStep[] = []
  for (const source of group.sources) {
    const step = toStep(source, group, tip)
    const before = await parameters.tables.loadRows(source.row.id, { from: number, to: number })
    const rows = [...toRows(source), ...before.filter((one) => !isOfLog(source, one))]
    const reread = number > source.row.finalized ? 'stored' : 'final'
    steps.push(sources.includes(source) ? { ...step, rows, replaced: { from: number, to: number }, reread } : step)
  }
  await storeSteps(
    parameters,
    steps,
    changed.filter((one) => one.number >= number),
  )
  group.known = changed
  return isDisputed ? 'unconfirmed' : 'healed'
}

/** Returns whether the time of a header contradicts stored ones, and the first block with rows before it that has a later time. */
async function compareTimes({ group, tables }: RecheckParameters, header: Header) {
  const { number, time } = header
  const orders = await Promise.all(group.sources.map(({ row }) => tables.compareTime(row.id, header)))
  const before = orders.flatMap((order) => order.before ?? [])
  const isContradicted =
    before.length > 0 ||
    orders.some(({ isLaterThanNext }) => isLaterThanNext) ||
    group.known.some((other) => other.number !== number && other.number < number !== other.time <= time)
  return { isContradicted, before: before.length > 0 ? Math.min(...before) : undefined }
}

/** Returns whether a node's block has this header, and the hash that its fields lead to. */
async function isProven({ nodes }: RecheckParameters, { number, hash, time }: Header): Promise<boolean> {
  const block = await nodes.request(headerAt(number))
  return typeof block === 'object' && block !== null && hashHeader(block) === hash && toHeader(block).time === time
}

async function storeSteps({ group, tables }: RecheckParameters, steps: SourceStep[], headers: readonly Header[] = []) {
  await tables.write(steps, headers)
  recordSteps(group.sources, steps)
}

const toSteps = (group: Group, tip: Header) => group.sources.map((source) => toStep(source, group, tip))

const toStep = ({ row }: Source, group: Group, tip: Header): SourceStep => ({
  id: row.id,
  rows: [],
  tip,
  finalized: finalizedAt(tip.number, group, row),
  state: row.state,
})
