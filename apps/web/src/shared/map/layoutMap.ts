import type { Address, TeamMap } from '@lineage/referral-api'
import { type HierarchyNode, type HierarchyRectangularNode, hierarchy, partition } from 'd3-hierarchy'

export type MapData = Pick<TeamMap, 'by' | 'items' | 'rest'>
type Figures = { members: number; volume: string; recent: number }

/** A leg, the sum of a referrer's small legs, or the top of a community's map. */
export type Part = Figures &
  (
    | { kind: 'leg'; id: string; address: Address; directs: number }
    | { kind: 'rest'; id: string; legs: number }
    | { kind: 'all'; id: 'all' }
  )

/** A rectangle of the picture: `x` and `width` are fractions of the picture's width, `level` counts from the top. */
export type Cell = {
  part: Part
  level: number
  x: number
  width: number
  /** Index of the cell above; `-1` for the top. */
  parent: number
  /** Indexes of the cells below, from left to right. */
  children: number[]
}

type Node = { part: Part; children: Node[] }

/** Lays out a map as an icicle: each cell lies below its referrer, as wide as its share. Referrers come before their referrals. */
export function layoutMap(map: MapData): Cell[] {
  const root = hierarchy(toTree(map))
  weigh(root, map.by)
  root.sort(byKindAndSize)
  const nodes: HierarchyRectangularNode<Node>[] = []
  // `eachBefore` visits a node before its children, from left to right.
  partition<Node>()(root).eachBefore((node) => nodes.push(node))
  const indexes = new Map(nodes.map((node, index) => [node, index]))
  const indexOf = (node: HierarchyRectangularNode<Node>) => indexes.get(node) as number
  return nodes.map((node) => ({
    part: node.data.part,
    level: node.depth,
    x: node.x0,
    width: node.x1 - node.x0,
    parent: node.parent ? indexOf(node.parent) : -1,
    children: node.children?.map(indexOf) ?? [],
  }))
}

/** Sets the value of each node: its members, or its volume. It is at least the sum of the nodes below. */
function weigh(root: HierarchyNode<Node>, by: MapData['by']): void {
  const own = new Map<Node, number>()
  root.each(({ data }) => {
    const below = data.children.reduce((sum, { part }) => sum + sizeOf(part, by), 0n)
    const rest = sizeOf(data.part, by) - below
    own.set(data, rest > 0n ? Number(rest) : 0)
  })
  root.sum((node) => own.get(node) ?? 0)
}

const sizeOf = ({ members, volume }: Figures, by: MapData['by']): bigint =>
  by === 'members' ? BigInt(members) : BigInt(volume)

/** Orders the largest leg first, and the sum of small legs last. */
function byKindAndSize(a: HierarchyNode<Node>, b: HierarchyNode<Node>): number {
  const isRest = (node: HierarchyNode<Node>) => Number(node.data.part.kind === 'rest')
  return isRest(a) - isRest(b) || (b.value ?? 0) - (a.value ?? 0)
}

function toTree({ items, rest }: MapData): Node {
  const tops: Node[] = []
  const nodes: Node[] = []
  for (const { rest: band, parent, address, directs, members, volume, recent } of items) {
    const part: Part = { kind: 'leg', id: address, address, directs, members, volume, recent }
    const node: Node = { part, children: band ? [toRest(address, band)] : [] }
    nodes.push(node)
    const above = parent === null ? tops : nodes[parent]?.children
    above?.push(node)
  }
  const [only] = tops
  if (only && tops.length === 1 && !rest) return only
  const children = rest ? [...tops, toRest('all', rest)] : tops
  return { part: { kind: 'all', id: 'all', ...sumOf(children) }, children }
}

const toRest = (above: string, { legs, members, volume, recent }: NonNullable<TeamMap['rest']>): Node => ({
  part: { kind: 'rest', id: `${above} rest`, legs, members, volume, recent },
  children: [],
})

const sumOf = (nodes: readonly Node[]): Figures =>
  nodes.reduce<Figures>(
    (sum, { part }) => ({
      members: sum.members + part.members,
      volume: String(BigInt(sum.volume) + BigInt(part.volume)),
      recent: sum.recent + part.recent,
    }),
    { members: 0, volume: '0', recent: 0 },
  )

/**
 * Returns the part of a map below one of its legs, to show until the leg's own map has loaded. Returns the map
 * unchanged if it does not contain the leg.
 */
export function cutMap(map: TeamMap, leg: Address): TeamMap {
  const from = map.items.findIndex(({ address }) => address === leg)
  if (from < 0) return map
  const places = new Map<number, number>()
  const items: TeamMap['items'] = []
  for (const [index, item] of map.items.entries()) {
    const parent = index === from ? null : places.get(item.parent ?? -1)
    if (parent === undefined) continue
    places.set(index, items.push({ ...item, parent }) - 1)
  }
  return { ...map, items, rest: null }
}
