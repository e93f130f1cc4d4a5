import type { ForestData } from '../data/forestData.ts'
import { Downline, walk } from '../downline/downline.ts'
import { Amounts } from '../lib/amounts.ts'
import type { Level } from '../types.ts'

export function levelsOf(data: ForestData, top: number): Level[] {
  const { nodes, slots } = data
  const height = nodes.height[top] as number
  const depth = nodes.depth[top] as number
  const counts = new Uint32Array(height + 1)
  const volumes = new Amounts(height + 1)
  const addNode = (node: number) => {
    const level = (nodes.depth[node] as number) - depth
    counts[level] = (counts[level] as number) + 1
    volumes.add(level, nodes.ownVolume, node)
  }
  if (slots.teamOf(top) <= data.tuning.smallTeam) walk(data, top, 'all', addNode)
  else {
    const downline = new Downline(data, top)
    for (let level = 1; level < downline.levels; level++) {
      const ranges = downline.rangesOf(level)
      for (let range = 0; range < ranges.length; range += 2) {
        const low = ranges[range] as number
        const high = ranges[range + 1] as number
        counts[level] = (counts[level] as number) + high - low
        slots.volumeSums.sum(volumes, level, low, high, nodes.ownVolume, slots.nodeAt)
      }
    }
    downline.forEachNewer(addNode)
  }
  return Array.from({ length: height }, (_, index) => ({
    level: index + 1,
    count: counts[index + 1] as number,
    volume: volumes.get(index + 1),
  }))
}
