import type { Address, TeamMap } from '@lineage/referral-api'
import type { Theme } from '@mui/material/styles'
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

/** A cell in pixels. `index` is its place in the layout. */
export type Placed = Cell & { index: number; left: number; top: number; wide: number; high: number }

/** Largest number of rows in a picture. Deeper levels appear when a leg is zoomed. */
const mostRows = 8

/** Places the cells in a picture of a given width. Wide pictures have the names of the levels at the left. */
export function placeCells(cells: readonly Cell[], width: number) {
  const gutter = width < 520 ? 0 : 52
  const high = width < 520 ? 46 : width < 900 ? 50 : 58
  const placed = cells.flatMap((cell, index): Placed[] => {
    if (cell.level >= mostRows || cell.width <= 0) return []
    const left = gutter + cell.x * (width - gutter)
    return [{ ...cell, index, left, top: cell.level * high, wide: cell.width * (width - gutter), high }]
  })
  const rows = Math.max(0, ...placed.map(({ level }) => level + 1))
  return { placed, rows, high, gutter, height: rows * high }
}

/** Returns whether the cells below this one are not in the picture. */
export const isCut = ({ level, children }: Cell): boolean => level === mostRows - 1 && children.length > 0

type Key = 'ArrowDown' | 'ArrowUp' | 'ArrowRight' | 'ArrowLeft' | 'Home' | 'End'

/**
 * Returns the cell that a key moves to from the cell at `at`, or `undefined` if there is none. Levels are rows: down
 * and up move to the first referral and to the referrer, right and left along the row.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/treeview/
 */
export function cellAfter(placed: readonly Placed[], at: Placed, key: string): Placed | undefined {
  const row = placed.filter(({ level }) => level === at.level)
  const place = row.indexOf(at)
  const moves: Record<Key, () => Placed | undefined> = {
    ArrowDown: () => placed.find(({ parent }) => parent === at.index),
    ArrowUp: () => placed.find(({ index }) => index === at.parent),
    ArrowRight: () => row[place + 1],
    ArrowLeft: () => row[place - 1],
    Home: () => placed[0],
    End: () => placed.at(-1),
  }
  return moves[key as Key]?.()
}

/** Differences from the average growth at which a step ends. One more step is above the last. */
const stepEnds = [-0.1, -0.02, 0.02, 0.1] as const

/**
 * Returns the growth since thirty days ago; `Infinity` for a leg that is younger.
 *
 * @example
 * growthOf({ members: 110, recent: 10 }) // 0.1
 */
export const growthOf = ({ members, recent }: { members: number; recent: number }): number =>
  recent === 0 ? 0 : recent / Math.max(0, members - recent)

/** Returns the step of a growth, compared with the average: 2 near it, 0 far below, 4 far above. */
export const growthStep = (growth: number, average: number): number => {
  const step = stepEnds.findIndex((end) => growth - average <= end)
  return step < 0 ? stepEnds.length : step
}

/** Colours of the steps, and their percentages in the background. All have enough contrast with the text. */
const tints = [
  ['var(--decline)', 44],
  ['var(--decline)', 20],
  ['var(--mui-palette-text-primary)', 9],
  ['var(--growth)', 20],
  ['var(--growth)', 44],
] as const
export const growthSteps = tints.map((_, step) => step)

/** Returns the styles of the steps of growth, for elements with `data-step`. A rise is red in Chinese, green elsewhere. */
export const growthTints = ({ vars }: Theme) => ({
  '&[data-tone="red"]': { '--growth': vars?.palette.error.main, '--decline': vars?.palette.primary.main },
  '&[data-tone="green"]': { '--growth': vars?.palette.primary.main, '--decline': vars?.palette.error.main },
  // Inherited by shapes and texts in browsers before `color-mix()`, which would draw both black.
  fill: vars?.palette.action.selected,
  '& svg g g': { fill: vars?.palette.text.secondary },
  ...Object.fromEntries(
    tints.map(([color, share], step) => [
      `& [data-step="${step}"]`,
      { fill: `color-mix(in srgb, ${color} ${share}%, ${vars?.palette.background.default})` },
    ]),
  ),
})
