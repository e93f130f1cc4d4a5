import type { EventRow } from './decode.ts'
import { decodeLogs, finalizedAt, type Group, mayHoldEvents, recordSteps, type Source } from './follow.ts'
import type { HistoryLog, HistoryPart, HistorySource } from './history/HistorySource.ts'
import type { Nodes } from './nodes/createNodes.ts'
import { type BlockRange, finality, type Header } from './nodes/rpc.ts'
import type { SourceStep, Tables } from './tables.ts'

export type RecheckParameters = {
  group: Group
  /** Reads logs and headers from other nodes than usual, if there are others. */
  others: HistorySource
  nodes: Pick<Nodes, 'headers' | 'secondHeader' | 'blockLogs' | 'provenLogs' | 'logsOfEach' | 'areSeveral'>
  tables: Pick<Tables, 'loadRows' | 'write'>
  log: (message: string) => void
  /** Called for each block of which a node returned other logs than it has; `undefined` for an unknown node. */
  onWrong: (node: string | undefined, block: number) => void
}

/** Number of newest blocks that are not checked yet: nodes may lag behind each other. */
const unsettled = 15
/** Number of blocks that are checked together, so that a check costs a tenth of a request a block. */
const blocksAtOnce = 10

/**
 * Reads the logs of blocks a second time before the blocks become final, from another node where there is one, and stores
 * those that differ anew. If there is only one node, the receipts of the blocks prove their logs.
 */
export async function recheckGroup(parameters: RecheckParameters): Promise<void> {
  const { group } = parameters
  const tip = group.known.at(-1)
  if (!tip || tip.number - unsettled - blocksAtOnce < group.checkedTo) return
  const end = tip.number - unsettled
  while (group.checkedTo < end) {
    const checked = await checkRange(parameters, { fromBlock: Math.max(group.checkedTo + 1, 0), toBlock: end })
    if (!checked) return
    group.checkedTo = checked.toBlock
  }
  const isDelayed = group.sources.some(({ row }) => row.finalized < tip.number - finality)
  if (isDelayed) await storeSteps(parameters, toSteps(group, tip))
}

/** Distances from the newest final block at which blocks are checked once more: each block comes by each of them. */
const distances = [100, 1_000, 10_000, 100_000, 1_000_000]
/** Milliseconds between two looks at final blocks. */
const lookBackInterval = 60_000
/** Number of blocks to check at each distance: more than the chain adds in the interval. */
const lookBackWidth = 160

/**
 * Checks some final blocks again each minute, because a lone node may lie for long. After a difference, all blocks since
 * are checked again.
 */
export async function lookBack(parameters: RecheckParameters, now: number): Promise<void> {
  const { group } = parameters
  if (now - group.lookedBackAt < lookBackInterval) return
  group.lookedBackAt = now
  const first = Math.min(...group.sources.map(({ row }) => row.start_block))
  const anywhere = Math.floor(Math.random() * (group.checkedTo - first))
  for (const distance of [...distances, anywhere]) {
    const fromBlock = group.checkedTo - distance
    if (fromBlock < first) continue
    const range = { fromBlock, toBlock: Math.min(fromBlock + lookBackWidth, group.checkedTo) }
    const checked = await checkRange(parameters, range)
    if (checked?.healed) group.checkedTo = fromBlock - 1
  }
}

/**
 * Reads a range, or its first part, a second time, and stores the blocks that differ anew. Returns the last block that was
 * checked, and the number of those that differed; `undefined` while the nodes are on different forks.
 */
async function checkRange(parameters: RecheckParameters, range: BlockRange) {
  const { group, others } = parameters
  const filter = group.sources.flatMap(({ decoder }) => decoder.filter)
  const again = await others.read(range, filter)
  if (!isSameFork(group, again)) return undefined
  let healed = 0
  for (const [number, sources] of await findDifferences(parameters, again))
    if (await readAnew(parameters, { number, sources, second: again.from })) healed++
  return { toBlock: again.range.toBlock, healed }
}

function isSameFork({ known }: Group, { blocks }: HistoryPart): boolean {
  const hashes = new Map(known.map(({ number, hash }) => [number, hash]))
  return blocks.every(({ number, hash }) => (hashes.get(Number(number)) ?? hash) === hash)
}

/**
 * Returns the blocks of a part, each with the sources whose stored rows are not those of the logs. If both were read from
 * one node, returns all blocks with rows.
 */
async function findDifferences({ group, tables, nodes }: RecheckParameters, part: HistoryPart) {
  const isUnconfirmed = !nodes.areSeveral()
  const times = new Map(part.blocks.map(({ number, timestamp }) => [Number(number), Number(timestamp)]))
  const differing = new Map<number, Source[]>()
  for (const source of group.sources) {
    const { row, decoder } = source
    const { fromBlock: from, toBlock: to } = part.range
    const stored = groupByBlock(await tables.loadRows(row.id, { from, to }))
    const again = groupByBlock(decodeLogs(decoder, part.logs, times).rows)
    for (const block of new Set([...stored.keys(), ...again.keys()]))
      if (isUnconfirmed || stored.get(block) !== again.get(block))
        differing.set(block, [...(differing.get(block) ?? []), source])
  }
  return differing
}

/** Returns the rows of each block as text, in order. */
function groupByBlock(rows: readonly EventRow[]): Map<number, string> {
  const blocks = new Map<number, string[]>()
  for (const row of rows) blocks.set(row.block, [...(blocks.get(row.block) ?? []), toText(row)])
  return new Map([...blocks].map(([block, texts]) => [block, texts.toSorted().join('\n')]))
}

const toText = ({ logIndex, kind, time, blockHash, tx, txIndex, member, other, amount, raw }: EventRow) =>
  [logIndex, kind, time, blockHash, tx, txIndex, member, other, amount, raw].join()

type Doubt = {
  number: number
  sources: readonly Source[]
  /** Name of the node that returned the logs the second time. */
  second: string | undefined
}

/** Finds out which logs a block has, and stores their rows if they are not stored. Returns whether they were not. */
async function readAnew(parameters: RecheckParameters, { number, sources, second }: Doubt): Promise<boolean> {
  const { group, tables, log, onWrong } = parameters
  const known = group.known.find((one) => one.number === number)
  const found = await decide(parameters, number)
  if (!found || (known && known.hash !== found.header.hash)) return false
  const { header, logs } = found
  const times = new Map([[number, header.time]])
  const toRows = ({ decoder }: Source) => decodeLogs(decoder, logs, times).rows
  const textOf = (rows: readonly EventRow[]) => groupByBlock(rows).get(number)
  const differing: Source[] = []
  for (const source of sources) {
    const stored = await tables.loadRows(source.row.id, { from: number, to: number })
    if (textOf(stored) !== textOf(toRows(source))) differing.push(source)
  }
  if (differing.length === 0) {
    if (parameters.nodes.areSeveral()) onWrong(second, number)
    return false
  }
  const node = group.readFrom.get(number)
  log(`${node ?? 'A node'} returned other events of block ${number} before. The block is read anew.`)
  onWrong(node, number)
  const changed = group.known.map((one) => (one.number === number ? { ...one, time: header.time } : one))
  const tip = changed.at(-1) as Header
  const steps = group.sources.map((source): SourceStep => {
    if (!differing.includes(source)) return toStep(source, group, tip)
    const reread = number > source.row.finalized ? 'stored' : 'final'
    return { ...toStep(source, group, tip), rows: toRows(source), replaced: { from: number, to: number }, reread }
  })
  await storeSteps(
    parameters,
    steps,
    changed.filter((one) => one.number >= number),
  )
  group.known = changed
  return true
}

/** Returns the logs of a block that its receipts prove. Without such receipts, returns those that most nodes have. */
async function decide(parameters: RecheckParameters, number: number) {
  const { nodes } = parameters
  const [header] = (await nodes.headers([number])) as [Header]
  const proven = await nodes.provenLogs(header)
  if (proven) return { header, logs: proven }
  const answers = await nodes.logsOfEach(header)
  const byText = Map.groupBy(answers, ({ logs }) => logs.map(logToText).toSorted().join('\n'))
  const [most, next] = [...byText.values()].toSorted((left, right) => right.length - left.length)
  if (most && most.length > (next?.length ?? 0)) return { header, logs: most[0]?.logs ?? [] }
  return readAll(parameters, number)
}

const logToText = ({ logIndex, transactionHash, address, topics, data }: HistoryLog) =>
  [Number(logIndex), transactionHash, address.toLowerCase(), topics, data].join()

/** Reads all logs of a block, by the header of another node if that of the usual one hides them. */
async function readAll({ group, nodes }: RecheckParameters, number: number) {
  const [header] = (await nodes.headers([number])) as [Header]
  if (mayHoldEvents(group, header)) return { header, logs: await nodes.blockLogs(header) }
  const second = await nodes.secondHeader(number)
  const isOther = second?.hash === header.hash && mayHoldEvents(group, second)
  return { header, logs: isOther ? await nodes.blockLogs(second) : [] }
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
