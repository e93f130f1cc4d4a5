import { DownlineChangedError } from '../errors.ts'
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
export class JoinBlocks {
  private readonly parts: Parts
  /** The snapshot that was read last. */
  private below: Uint32Array | undefined
  private table: Table | undefined

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** Returns the counts of a moment, at which members with a lower join index than `joins` had joined. */
  *at(joins: number): Slices<BlockCounts> {
    const { below } = this.parts.slots
    if (this.below !== below || !this.table) this.table = yield* this.readSnapshot()
    this.below = below
    return new BlockCounts(this.parts, this.table, joins)
  }

  private *readSnapshot(): Slices<Table> {
    const { nodes, slots, tuning } = this.parts
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
export class BlockCounts {
  /** Slots of a block. */
  readonly size: number
  /** Slots that are in blocks. */
  readonly length: number
  /** For each block, the members of the blocks before it who had joined. */
  private readonly before: Uint32Array

  constructor({ nodes, slots, tuning }: Parts, { counts, blocks, width, members }: Table, joins: number) {
    this.size = tuning.blockSlots
    this.length = blocks * this.size
    const before = new Uint32Array(blocks + 1)
    const group = Math.min(Math.floor(joins / width), groups)
    for (let index = Math.min(group * width, members); index < joins; index++) {
      const slot = slots.slotOf[nodes.joinOrder[index] as number] as number
      if (slot >= this.length) continue
      const next = Math.floor(slot / this.size) + 1
      before[next] = (before[next] as number) + 1
    }
    for (let block = 0; block < blocks; block++)
      before[block + 1] =
        (before[block + 1] as number) + (before[block] as number) + (counts[block * (groups + 1) + group] as number)
    this.before = before
  }

  /** Counts the members of the blocks between two slots. None of their rows may have changed since the snapshot. */
  count(low: number, high: number): number {
    return (this.before[high / this.size] as number) - (this.before[low / this.size] as number)
  }
}
