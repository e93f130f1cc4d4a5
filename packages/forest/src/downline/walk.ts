import type { ForestData } from '../data/forestData.ts'
import { none } from '../data/nodes.ts'

/** Visits the nodes of one level below `top`, or of its whole downline, in no particular order. */
export function walk({ nodes }: ForestData, top: number, level: number | 'all', visit: (node: number) => void): void {
  // Most walks read the directs, which is faster without depths.
  if (level === 1) {
    for (let child = nodes.firstChild[top] as number; child !== none; child = nodes.next[child] as number) visit(child)
    return
  }
  const depth = level === 'all' ? Number.POSITIVE_INFINITY : (nodes.depth[top] as number) + level
  let node = nodes.nextBelow(top, top)
  while (node !== none) {
    const isAbove = (nodes.depth[node] as number) < depth
    if (!isAbove || level === 'all') visit(node)
    node = isAbove ? nodes.nextBelow(node, top) : nodes.nextBeside(node, top)
  }
}
