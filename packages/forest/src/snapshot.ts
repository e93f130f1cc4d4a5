import { Amounts, type AmountsData } from './amounts.ts'
import { dayOf } from './days.ts'
import { blockBits, none } from './nodes.ts'
import { VolumeSums } from './volumeSums.ts'

/** What a snapshot is made of. Only `parent` must stand still meanwhile: whatever else changes is written again after. */
export interface SnapshotInput {
  /** By node; taken over. */
  parent: Uint32Array
  joined: Uint32Array
  members: number
  joinedAt: Uint32Array
  ownVolume: AmountsData
}

/** The whole forest breadth first, level after level, the direct referrals of each member side by side. */
export interface Snapshot {
  length: number
  slotOf: Uint32Array
  nodeAt: Uint32Array
  /** The direct referrals of a slot are the slots from `below[slot]` up to `below[slot + 1]`. */
  below: Uint32Array
  team: Uint32Array
  joinOrder: Uint32Array
  day: Uint16Array
  legVolume: AmountsData
  volumeSums: AmountsData[]
  teamMost: Uint32Array
  legCeiling: Float64Array
  firstWithoutTeam: Uint32Array
  firstWithoutLeg: Uint32Array
}

/** Room for members who join before the next snapshot, so that they need no copy. */
export function withRoom(length: number): number {
  return length + 1024 + Math.min(length, 131_072)
}

/** Runs in a worker or in place; never recursive. Its arrays stand in for one another, to hold few at a time. */
export function buildSnapshot({ parent, joined, members, joinedAt, ownVolume }: SnapshotInput): Snapshot {
  const { length } = parent
  const room = withRoom(length)

  const first = new Uint32Array(room + 1)
  for (let node = 0; node < length; node++) {
    const up = parent[node] as number
    if (up !== none) first[up + 1] = (first[up + 1] as number) + 1
  }
  for (let node = 0; node < length; node++) first[node + 1] = (first[node + 1] as number) + (first[node] as number)
  const children = new Uint32Array(room)
  const nodeAt = new Uint32Array(room)
  let roots = 0
  for (let node = 0; node < length; node++) {
    const up = parent[node] as number
    if (up === none) nodeAt[roots++] = node
    else {
      const at = first[up] as number
      children[at] = node
      first[up] = at + 1
    }
  }
  // Each `first` has moved on to where the next one begins.
  const below = new Uint32Array(length + 1)
  let end = roots
  for (let slot = 0; slot < length; slot++) {
    const node = nodeAt[slot] as number
    below[slot] = end
    const until = first[node] as number
    for (let at = node === 0 ? 0 : (first[node - 1] as number); at < until; at++) nodeAt[end++] = children[at] as number
  }
  below[length] = end

  const slotOf = children
  for (let slot = 0; slot < length; slot++) slotOf[nodeAt[slot] as number] = slot
  const team = first.subarray(0, room).fill(0)
  for (let slot = length - 1; slot >= 0; slot--) {
    let size = 0
    const until = below[slot + 1] as number
    for (let child = below[slot] as number; child < until; child++) size += (team[child] as number) + 1
    team[slot] = size
  }
  const joinOrder = new Uint32Array(room)
  const day = new Uint16Array(room)
  for (let order = 0; order < members; order++) {
    const node = joined[order] as number
    // A member who came in meanwhile may stand where another stood.
    if (node >= length) continue
    const slot = slotOf[node] as number
    joinOrder[slot] = order
    day[slot] = dayOf(joinedAt[node] as number)
  }

  const own = Amounts.from(ownVolume)
  const leg = new Amounts(room)
  const volumeSums = new VolumeSums(room)
  if (own.isUsed) {
    for (let slot = length - 1; slot >= 0; slot--) {
      const node = nodeAt[slot] as number
      // Read once: it may change meanwhile, and the sums must agree with one another.
      leg.copy(slot, own, node)
      volumeSums.add(slot, leg, slot)
      const until = below[slot + 1] as number
      for (let child = below[slot] as number; child < until; child++) leg.add(slot, leg, child)
    }
  }
  const blocks = (room >>> blockBits) + 1
  const teamMost = new Uint32Array(blocks)
  const legCeiling = new Float64Array(blocks)
  const firstWithoutTeam = new Uint32Array(blocks).fill(none)
  const firstWithoutLeg = new Uint32Array(blocks).fill(none)
  for (let slot = 0; slot < length; slot++) {
    const block = slot >>> blockBits
    const joined = joinOrder[slot] as number
    const size = team[slot] as number
    if (size > (teamMost[block] as number)) teamMost[block] = size
    if (size === 0 && joined < (firstWithoutTeam[block] as number)) firstWithoutTeam[block] = joined
    const ceiling = leg.ceiling(slot)
    if (ceiling > (legCeiling[block] as number)) legCeiling[block] = ceiling
    if (ceiling === 0 && joined < (firstWithoutLeg[block] as number)) firstWithoutLeg[block] = joined
  }
  return {
    length,
    slotOf,
    nodeAt,
    below,
    team,
    joinOrder,
    day,
    legVolume: leg.data,
    volumeSums: volumeSums.data,
    teamMost,
    legCeiling,
    firstWithoutTeam,
    firstWithoutLeg,
  }
}

/** What `postMessage` may hand over instead of copying. */
export function buffersOf(snapshot: Snapshot): ArrayBuffer[] {
  const { legVolume, volumeSums, length: _, ...columns } = snapshot
  const arrays = [...Object.values(columns), legVolume.words, ...volumeSums.map(({ words }) => words)]
  return arrays.filter((array) => array.length > 0).map((array) => array.buffer as ArrayBuffer)
}
