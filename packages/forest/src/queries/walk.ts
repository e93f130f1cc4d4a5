import { none } from '../nodes.ts'
import type { State } from '../state.ts'

/** Visits the nodes of one level below `top`, or of all, in no particular order. */
export function walk({ nodes }: State, top: number, level: number | 'all', visit: (node: number) => void): void {
  if (level === 1) {
    for (let child = nodes.firstChild[top] as number; child !== none; child = nodes.next[child] as number) visit(child)
    return
  }
  const depth = level === 'all' ? undefined : (nodes.depth[top] as number) + level
  let node = nodes.nextBelow(top, top)
  while (node !== none) {
    if (depth === undefined) {
      visit(node)
      node = nodes.nextBelow(node, top)
    } else if ((nodes.depth[node] as number) < depth) node = nodes.nextBelow(node, top)
    else {
      visit(node)
      node = nodes.nextBeside(node, top)
    }
  }
}
