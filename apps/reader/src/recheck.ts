import type { EventRow } from './decode.ts'
import { decodeLogs, finalizedAt, type Group, mayHoldEvents, recordSteps, type Source } from './follow.ts'
import type { HistoryPart, HistorySource } from './history/HistorySource.ts'
import type { Nodes } from './nodes/createNodes.ts'
import { finality, type Header } from './nodes/rpc.ts'
import type { SourceStep, Tables } from './tables.ts'

export type RecheckParameters = {
  group: Group
  /** Reads logs and headers from other nodes than usual, if there are others. */
  others: HistorySource
  nodes: Pick<Nodes, 'headers' | 'secondHeader' | 'blockLogs'>
  tables: Pick<Tables, 'loadRows' | 'write'>
  log: (message: string) => void
}

/** Number of newest blocks that are not checked yet: nodes may lag behind each other. */
const unsettled = 15
/** Number of blocks that are checked together, so that a check costs a tenth of a request a block. */
const blocksAtOnce = 10

/**
 * Reads the logs of blocks a second time before the blocks become final, from another node where there is one, and stores
 * those that differ anew.
 */
export async function recheckGroup(parameters: RecheckParameters): Promise<void> {
  const { group, others } = parameters
  const tip = group.known.at(-1)
  if (!tip || tip.number - unsettled - blocksAtOnce < group.checkedTo) return
  const filter = group.sources.flatMap(({ decoder }) => decoder.filter)
  const end = tip.number - unsettled
  while (group.checkedTo < end) {
    const range = { fromBlock: Math.max(group.checkedTo + 1, 0), toBlock: end }
    const again = await others.read(range, filter)
    // The nodes are on different forks for now.
    if (!isSameFork(group, again)) return
    for (const [number, sources] of await findDifferences(parameters, again))
      await readAnew(parameters, { number, sources })
    group.checkedTo = again.range.toBlock
  }
  const isDelayed = group.sources.some(({ row }) => row.finalized < tip.number - finality)
  if (isDelayed) await storeSteps(parameters, toSteps(group, tip))
}

function isSameFork({ known }: Group, { blocks }: HistoryPart): boolean {
  const hashes = new Map(known.map(({ number, hash }) => [number, hash]))
  return blocks.every(({ number, hash }) => (hashes.get(Number(number)) ?? hash) === hash)
}

/** Returns the blocks of a part, each with the sources whose stored rows are not those of the logs. */
async function findDifferences({ group, tables }: RecheckParameters, part: HistoryPart) {
  const times = new Map(part.blocks.map(({ number, timestamp }) => [Number(number), Number(timestamp)]))
  const differing = new Map<number, Source[]>()
  for (const source of group.sources) {
    const { row, decoder } = source
    const { fromBlock: from, toBlock: to } = part.range
    const stored = groupByBlock(await tables.loadRows(row.id, { from, to }))
    const again = groupByBlock(decodeLogs(decoder, part.logs, times).rows)
    for (const block of new Set([...stored.keys(), ...again.keys()]))
      if (stored.get(block) !== again.get(block)) differing.set(block, [...(differing.get(block) ?? []), source])
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

/** Reads one block again with all checks, and stores its rows in place of the stored ones. */
async function readAnew(
  parameters: RecheckParameters,
  { number, sources }: { number: number; sources: readonly Source[] },
): Promise<void> {
  const { group, log } = parameters
  const known = group.known.find((one) => one.number === number)
  const { header, logs } = await readAll(parameters, number)
  if (known && known.hash !== header.hash) return
  const node = group.readFrom.get(number) ?? 'A node'
  log(`${node} returned other events of block ${number} before. The block is read anew.`)
  const times = new Map([[number, header.time]])
  const changed = group.known.map((one) => (one.number === number ? { ...one, time: header.time } : one))
  const tip = changed.at(-1) as Header
  const steps = group.sources.map((source): SourceStep => {
    if (!sources.includes(source)) return toStep(source, group, tip)
    const { rows } = decodeLogs(source.decoder, logs, times)
    const reread = number > source.row.finalized ? 'stored' : 'final'
    return { ...toStep(source, group, tip), rows, replaced: { from: number, to: number }, reread }
  })
  await storeSteps(
    parameters,
    steps,
    changed.filter((one) => one.number >= number),
  )
  group.known = changed
}

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
