import { DownlineChangedError } from '../errors.ts'
import { SlotList } from '../lib/columns.ts'
import type { Tuning } from '../tuning.ts'
import type { Slices } from '../types.ts'
import type { Nodes } from './nodes.ts'
import type { Slots } from './slots.ts'

/** Groups of join indexes that are counted in each block. */
const groups = 512
/** Slots read in one slice. */
const sliceSlots = 100_000

type Parts = { nodes: Nodes; slots: Slots; tuning: Tuning }
/** For each block of slots of a snapshot, how many of its members joined before each group of join indexes. */
type Table = { counts: Uint16Array; blocks: number; width: number; members: number }

/** Counts the members of whole blocks of slots who had joined at a moment. Reads each snapshot once. */
export function createJoinBlocks({ nodes, slots, tuning }: Parts) {
  let last: { below: Uint32Array; table: Table } | undefined

  /** Returns the counts of a moment, at which members with a lower join index than `joins` had joined. */
  return function* at(joins: number): Slices<BlockCounts> {
    const { below } = slots
    last = last?.below === below ? last : { below, table: yield* readSnapshot() }
    return countBlocks({ nodes, slots, tuning }, last.table, joins)
  }

  function* readSnapshot(): Slices<Table> {
    const { below, joinIndex } = slots
    const { members } = nodes
    const size = tuning.blockSlots
    const blocks = Math.floor(Math.max(below.length - 1, 0) / size)
    const width = Math.max(tuning.groupJoins, Math.ceil(members / groups))
    const counts = new Uint16Array(blocks * (groups + 1))
    for (let block = 0; block < blocks; block++) {
      const row = block * (groups + 1)
      for (let slot = block * size; slot < (block + 1) * size; slot++) {
        const index = joinIndex[slot] as number
        const at = row + 1 + Math.floor(index / width)
        if (index < members) counts[at] = (counts[at] as number) + 1
      }
      for (let group = 1; group <= groups; group++)
        counts[row + group] = (counts[row + group] as number) + (counts[row + group - 1] as number)
      if (((block + 1) * size) % sliceSlots >= size) continue
      yield
      if (slots.below !== below) throw new DownlineChangedError()
    }
    return { counts, blocks, width, members }
  }
}

/** The counts of one moment. */
export type BlockCounts = ReturnType<typeof countBlocks>

function countBlocks({ nodes, slots, tuning }: Parts, table: Table, joins: number) {
  const { counts, blocks, width, members } = table
  const size = tuning.blockSlots
  const length = blocks * size
  /** For each block, the members of the blocks before it who had joined. */
  const before = new Uint32Array(blocks + 1)
  const group = Math.min(Math.floor(joins / width), groups)
  for (let index = Math.min(group * width, members); index < joins; index++) {
    const slot = slots.slotOf[nodes.joinOrder[index] as number] as number
    if (slot >= length) continue
    const next = Math.floor(slot / size) + 1
    before[next] = (before[next] as number) + 1
  }
  for (let block = 0; block < blocks; block++)
    before[block + 1] =
      (before[block + 1] as number) + (before[block] as number) + (counts[block * (groups + 1) + group] as number)
  return {
    /** Slots of a block. */
    size,
    /** Slots that are in blocks. */
    length,
    /** Counts the members of the blocks between two slots. None of their rows may have changed since the snapshot. */
    count: (low: number, high: number) => (before[high / size] as number) - (before[low / size] as number),
  }
}

/** Largest number of pairs kept. */
const mostPairs = 100_000

/**
 * Creates a function that finds members of the snapshot who joined before their referrers, which were bound later. It returns
 * slots in pairs, a member and its referrer, by ascending member; `undefined` if there are too many.
 */
export function createEarlyJoins(slots: Slots) {
  /** The snapshot that was read last. */
  let last: { below: Uint32Array; pairs: SlotList | undefined } | undefined
  return function* find(): Slices<SlotList | undefined> {
    const { below, joinIndex } = slots
    if (last?.below === below) return last.pairs
    let pairs: SlotList | undefined = new SlotList()
    for (let slot = 0; slot < below.length - 1 && pairs; slot++) {
      const joined = joinIndex[slot] as number
      const end = below[slot + 1] as number
      for (let child = below[slot] as number; child < end; child++)
        if ((joinIndex[child] as number) < joined) {
          pairs.push(child)
          pairs.push(slot)
        }
      if (pairs.length > mostPairs * 2) pairs = undefined
      if ((slot + 1) % sliceSlots !== 0) continue
      yield
      if (slots.below !== below) throw new DownlineChangedError()
    }
    last = { below, pairs }
    return pairs
  }
}
