import { Amounts, type AmountsData } from '../lib/amounts.ts'
import { dayOf } from '../lib/days.ts'
import { type ChunkExtremes, createChunkExtremes, includeValue } from './chunks.ts'
import { none } from './nodes.ts'
import { VolumeSums } from './volumeSums.ts'

/** Input of a snapshot. Only `parent` must not change meanwhile; changes of the others are repeated afterwards. */
export interface SnapshotInput {
  /** Parent by node. A worker takes over the array. */
  parent: Uint32Array
  /** Nodes by join index. */
  joinOrder: Uint32Array
  members: number
  joinedAt: Uint32Array
  grade: Uint8Array
  ownVolume: AmountsData
}

/** The whole forest in breadth-first order, directs side by side. Its columns replace those of `Slots`. */
export interface Snapshot {
  length: number
  slotOf: Uint32Array
  nodeAt: Uint32Array
  below: Uint32Array
  team: Uint32Array
  joinIndex: Uint32Array
  day: Uint16Array
  legVolume: AmountsData
  volumeSums: AmountsData[]
  teamExtremes: ChunkExtremes
  legExtremes: ChunkExtremes
}

/** Returns `length` plus room for members who join before the next snapshot, so that nothing is copied for them. */
export function withRoom(length: number): number {
  return length + 1024 + Math.min(length, 131_072)
}

/** Makes a snapshot, in a worker or in place. It is not recursive, and reuses arrays so that few exist at a time. */
export function buildSnapshot(input: SnapshotInput): Snapshot {
  const { length } = input.parent
  const room = withRoom(length)
  const { nodeAt, below, spare } = orderBreadthFirst(input.parent, room)
  const [slotOf, team] = spare
  for (let slot = 0; slot < length; slot++) slotOf[nodeAt[slot] as number] = slot
  sumTeams(team.fill(0), below)
  const { joinIndex, day } = placeJoins(input, slotOf, room)
  const { leg, volumeSums } = sumVolumes(Amounts.from(input.ownVolume), nodeAt, below, room)
  const teamExtremes = createChunkExtremes(room)
  const legExtremes = createChunkExtremes(room)
  for (let slot = 0; slot < length; slot++) {
    includeValue(teamExtremes, slot, team[slot] as number, joinIndex[slot] as number)
    includeValue(legExtremes, slot, leg.ceiling(slot), joinIndex[slot] as number)
  }
  const volumes = { legVolume: leg.data, volumeSums: volumeSums.data }
  return { length, slotOf, nodeAt, below, team, joinIndex, day, ...volumes, teamExtremes, legExtremes }
}

interface BreadthFirst {
  nodeAt: Uint32Array
  below: Uint32Array
  /** Two arrays of `room` entries that are no longer needed. */
  spare: [Uint32Array, Uint32Array]
}

function orderBreadthFirst(parent: Uint32Array, room: number): BreadthFirst {
  const { length } = parent
  const nodeAt = new Uint32Array(room)
  const { children, ends, roots } = groupByParent(parent, nodeAt)
  const below = new Uint32Array(length + 1)
  let end = roots
  for (let slot = 0; slot < length; slot++) {
    const node = nodeAt[slot] as number
    below[slot] = end
    const until = ends[node] as number
    for (let at = node === 0 ? 0 : (ends[node - 1] as number); at < until; at++) nodeAt[end++] = children[at] as number
  }
  below[length] = end
  return { nodeAt, below, spare: [children, ends.subarray(0, room)] }
}

/**
 * Writes the roots to the start of `nodeAt` and groups all other nodes by parent (counting sort): the children of
 * node `n` are `children` from `ends[n - 1]` up to `ends[n]`.
 */
function groupByParent(parent: Uint32Array, nodeAt: Uint32Array) {
  const { length } = parent
  const starts = new Uint32Array(nodeAt.length + 1)
  for (let node = 0; node < length; node++) {
    const up = parent[node] as number
    if (up !== none) starts[up + 1] = (starts[up + 1] as number) + 1
  }
  for (let node = 0; node < length; node++) starts[node + 1] = (starts[node + 1] as number) + (starts[node] as number)
  const children = new Uint32Array(nodeAt.length)
  let roots = 0
  for (let node = 0; node < length; node++) {
    const up = parent[node] as number
    if (up === none) nodeAt[roots++] = node
    else {
      const at = starts[up] as number
      children[at] = node
      starts[up] = at + 1
    }
  }
  // Each start has advanced to the end of its group.
  return { children, ends: starts, roots }
}

function sumTeams(team: Uint32Array, below: Uint32Array): void {
  for (let slot = below.length - 2; slot >= 0; slot--) {
    let size = 0
    const until = below[slot + 1] as number
    for (let child = below[slot] as number; child < until; child++) size += (team[child] as number) + 1
    team[slot] = size
  }
}

function placeJoins({ parent, joinOrder, members, joinedAt, grade }: SnapshotInput, slotOf: Uint32Array, room: number) {
  const joinIndex = new Uint32Array(room)
  const day = new Uint16Array(room)
  for (let index = 0; index < members; index++) {
    const node = joinOrder[index] as number
    // After a rollback meanwhile, this place may belong to a member who is not in the snapshot.
    if (node >= parent.length) continue
    const slot = slotOf[node] as number
    joinIndex[slot] = index
    day[slot] = grade[node] !== 0 ? 0 : dayOf(joinedAt[node] as number)
  }
  return { joinIndex, day }
}

function sumVolumes(own: Amounts, nodeAt: Uint32Array, below: Uint32Array, room: number) {
  const leg = new Amounts(room)
  const volumeSums = new VolumeSums(room)
  if (!own.isUsed) return { leg, volumeSums }
  for (let slot = below.length - 2; slot >= 0; slot--) {
    // Read once: it may change meanwhile, and all sums must use the same value.
    leg.copy(slot, own, nodeAt[slot] as number)
    volumeSums.add(slot, leg, slot)
    const until = below[slot + 1] as number
    for (let child = below[slot] as number; child < until; child++) leg.add(slot, leg, child)
  }
  return { leg, volumeSums }
}

/** Returns the buffers that `postMessage` may transfer instead of copying. */
export function buffersOf(snapshot: Snapshot): ArrayBuffer[] {
  const { length: _, legVolume, volumeSums, teamExtremes, legExtremes, ...slotColumns } = snapshot
  const extremes = [...Object.values(teamExtremes), ...Object.values(legExtremes)]
  const words = [legVolume, ...volumeSums].map((amounts) => amounts.words)
  const columns = [...Object.values(slotColumns), ...extremes, ...words]
  return columns.filter((column) => column.length > 0).map((column) => column.buffer as ArrayBuffer)
}
