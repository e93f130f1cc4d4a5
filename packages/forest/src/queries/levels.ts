import { Amounts } from '../amounts.ts'
import { Downline } from '../downline.ts'
import type { State } from '../state.ts'
import type { Level } from '../types.ts'
import { walk } from './walk.ts'

export function levelsOf(state: State, top: number): Level[] {
  const { nodes, slots } = state
  const height = nodes.height[top] as number
  const depth = nodes.depth[top] as number
  const counts = new Uint32Array(height + 1)
  const volumes = new Amounts(height + 1)
  const add = (node: number) => {
    const level = (nodes.depth[node] as number) - depth
    counts[level] = (counts[level] as number) + 1
    volumes.add(level, nodes.ownVolume, node)
  }
  if ((slots.team[slots.slotOf[top] as number] as number) <= state.tuning.smallTeam) walk(state, top, 'all', add)
  else {
    const downline = new Downline(state, top)
    const sum = new Amounts(1)
    for (let level = 1; level < downline.levels; level++) {
      downline.forEachRun(level, (low, high) => {
        counts[level] = (counts[level] as number) + high - low
        sum.clear(0)
        slots.volumeSums.sum(sum, low, high, nodes.ownVolume, slots.nodeAt)
        volumes.add(level, sum, 0)
      })
    }
    downline.forEachNewer(add)
  }
  return Array.from({ length: height }, (_, index) => ({
    level: index + 1,
    count: counts[index + 1] as number,
    volume: volumes.get(index + 1),
  }))
}
