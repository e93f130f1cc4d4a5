import { AmountReader } from '../data/amountLog.ts'
import type { ForestData } from '../data/forestData.ts'
import { Amounts } from '../lib/amounts.ts'
import { SlotList } from '../lib/columns.ts'
import { Pace } from '../lib/pace.ts'
import type { Slices } from '../types.ts'
import type { Past } from './past.ts'

/** Number of steps to read an event, whose row may be anywhere in memory. */
const costOfEvent = 4

/** Members at a past moment, level by level, a row each. It stays true until a rollback. */
export interface PastTree {
  /** Node of each row. */
  nodes: Uint32Array
  /** The children of row i are the rows from `below[i]` up to `below[i + 1]`. */
  below: Uint32Array
  /** First row of each level, and at the end the number of all rows. */
  levels: readonly number[]
  length: number
  /** Size of the downline of each row. */
  team: Uint32Array
}

/** Reads some members, by their slots, and all below them at a moment. The list of slots becomes that of nodes. */
export function* readPastTree({ slots, tuning }: ForestData, past: Past, tops: SlotList): Slices<PastTree> {
  const below = new SlotList(tops.words.length + 1)
  const levels = [0, tops.length]
  const pace = new Pace(tuning.sliceSteps, () => past.requireSameRows())
  for (let row = 0; row < tops.length; row++) {
    if (row === levels.at(-1)) levels.push(tops.length)
    below.push(tops.length)
    const slot = tops.words[row] as number
    past.addChildren(slot, tops)
    tops.words[row] = slots.nodeAt[slot] as number
    if (pace.spend(1)) yield* pace.pause()
  }
  below.push(tops.length)
  const tree = { nodes: tops.words, below: below.words, levels, length: tops.length }
  return { ...tree, team: yield* sumTeams(tree, tuning.sliceSteps) }
}

type Rows = Pick<PastTree, 'below' | 'length'>

function* sumTeams({ below, length }: Rows, steps: number): Slices<Uint32Array> {
  const team = new Uint32Array(length)
  const pace = new Pace(steps)
  for (let row = length - 1; row >= 0; row--) {
    const end = below[row + 1] as number
    let sum = 0
    for (let child = below[row] as number; child < end; child++) sum += (team[child] as number) + 1
    team[row] = sum
    if (pace.spend(1)) yield* pace.pause()
  }
  return team
}

/** Returns for each node its row plus one, 0 for a node that is in none of the rows from `first` on. */
export function* placeRows(
  { length, nodes: nodeOf }: Pick<PastTree, 'length' | 'nodes'>,
  { first, steps, nodes }: { first: number; steps: number; nodes: number },
): Slices<Uint32Array> {
  const rowOf = new Uint32Array(nodes)
  for (let row = first; row < length; row++) {
    rowOf[nodeOf[row] as number] = row + 1
    if ((row + 1) % steps === 0) yield
  }
  return rowOf
}

/** Sums up the volumes of each row and all below it, of the events of the log before `last`. */
export function* sumLegVolumes(data: ForestData, tree: PastTree, last: number): Slices<Amounts> {
  const { amounts, tuning } = data
  const { below, length } = tree
  const legs = new Amounts(length)
  if (last === 0) return legs
  const rowOf = yield* placeRows(tree, { first: 0, steps: tuning.sliceSteps, nodes: data.nodes.length })
  const reader = new AmountReader(amounts)
  const pace = new Pace(tuning.sliceSteps)
  for (let index = 0; index < last; index++) {
    const row = rowOf[amounts.nodeAt(index)] as number
    if (row > 0 && amounts.kindAt(index) === 'volume') {
      reader.read(index)
      legs.add(row - 1, reader.amount, 0)
    }
    if (pace.spend(costOfEvent)) yield* pace.pause()
  }
  for (let row = length - 1; row >= 0; row--) {
    const end = below[row + 1] as number
    for (let child = below[row] as number; child < end; child++) legs.add(row, legs, child)
    if (pace.spend(1)) yield* pace.pause()
  }
  return legs
}

/** Returns the volume of all below a row. */
export function teamVolumeOf({ below }: PastTree, legs: Amounts, row: number): bigint {
  const sum = new Amounts(1)
  const end = below[row + 1] as number
  for (let child = below[row] as number; child < end; child++) sum.add(0, legs, child)
  return sum.get(0)
}
