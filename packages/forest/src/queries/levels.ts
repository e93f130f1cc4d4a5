import { Amounts } from '../amounts.ts'
import { none } from '../nodes.ts'
import type { State } from '../state.ts'
import type { Level } from '../types.ts'

export function levelsOf({ nodes }: State, top: number): Level[] {
  const height = nodes.height[top] as number
  const depth = nodes.depth[top] as number
  const counts = new Uint32Array(height)
  const volumes = new Amounts(height)
  for (let node = nodes.nextBelow(top, top); node !== none; node = nodes.nextBelow(node, top)) {
    const index = (nodes.depth[node] as number) - depth - 1
    counts[index] = (counts[index] as number) + 1
    volumes.add(index, nodes.ownVolume, node)
  }
  return Array.from(counts, (count, index) => ({ level: index + 1, count, volume: volumes.get(index) }))
}
