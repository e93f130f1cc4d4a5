import type { Cell } from './layoutMap.ts'

/** A cell in pixels. `index` is its place in the layout. */
export type Placed = Cell & { index: number; left: number; top: number; wide: number; high: number }

/** Most rows of a picture. What lies deeper shows once a leg is zoomed in. */
const mostRows = 8

/** Places the cells in a picture of a width; the levels have their names at the left of wide ones. */
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

/** Returns if cells below this one are not in the picture. */
export const isCut = ({ level, children }: Cell): boolean => level === mostRows - 1 && children.length > 0

type Key = 'ArrowDown' | 'ArrowUp' | 'ArrowRight' | 'ArrowLeft' | 'Home' | 'End'

/**
 * Returns the cell that a key moves to from the cell at `at`; `undefined` where there is none. The levels are rows: down and up
 * lead to the first referral and to the referrer, right and left along the row.
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
