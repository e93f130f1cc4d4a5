import type { Cell } from './layoutMap.ts'

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
