import type { Address } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type KeyboardEvent, memo, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { useWidth } from '../lookup/printing.tsx'
import { type Cell, cellAfter, growthTints, type Placed, placeCells } from './layoutMap.ts'
import { MapCell } from './MapCell.tsx'
import type { CellTexts } from './useCellTexts.ts'

type Props = {
  frame: RefObject<HTMLDivElement | null>
  cells: readonly Cell[]
  label: string
  texts: CellTexts
  /** Growth of the community. */
  average: number
  /** `none` if the top of the picture is the top of the map. */
  up: 'possible' | 'none'
  onZoom: (leg: Address) => void
  onUp: () => void
  /** Called with the cell that the pointer or the focus is on. */
  onCell: (cell: Cell | undefined) => void
}

/**
 * Draws a map as an icicle: one row per level, each leg below its referrer. It is a tree view whose arrow keys follow
 * the rows.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/treeview/
 */
export const MapPicture = memo(function MapPicture({
  frame,
  cells,
  label,
  texts,
  average,
  up,
  onZoom,
  onUp,
  onCell,
}: Props) {
  const { i18n } = useTranslation()
  const width = useWidth(frame)
  const hatch = useId()
  const { placed, rows, high, gutter, height } = useMemo(() => placeCells(cells, width), [cells, width])
  const [active, setActive] = useState<string>()
  const stop = placed.find(({ part }) => part.id === active) ?? placed[0]
  useKeptFocus(frame, cells)

  const zoomOf = ({ part, level }: Placed) => {
    if (level === 0) return up === 'possible' ? 'up' : 'none'
    return part.kind === 'leg' && part.directs > 0 ? 'in' : 'none'
  }
  const act = (cell: Placed) => {
    const zoom = zoomOf(cell)
    if (zoom === 'up') onUp()
    if (zoom === 'in' && cell.part.kind === 'leg') onZoom(cell.part.address)
  }
  const show = (target: EventTarget) => {
    const cell = cellOf(placed, target)
    if (cell) onCell(cell)
    return cell
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const cell = cellOf(placed, event.target)
    if (!cell || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const next = cellAfter(placed, cell, event.key)
    if (next) focusCell(frame.current, next.index)
    else if (event.key === 'Escape' && up === 'possible') onUp()
    else if (event.key === 'Enter' || event.key === ' ' || event.key === 'ArrowDown') {
      if (event.key === 'ArrowDown' && zoomOf(cell) !== 'in') return
      act(cell)
    } else return
    event.preventDefault()
  }
  return (
    <Root
      ref={frame}
      role="tree"
      aria-label={label}
      aria-orientation="horizontal"
      data-tone={i18n.language.startsWith('zh') ? 'red' : 'green'}
      onClick={({ target }) => {
        const cell = show(target)
        if (cell) act(cell)
      }}
      onPointerOver={({ target }) => show(target)}
      onPointerLeave={() => onCell(undefined)}
      onFocus={({ target }) => setActive(show(target)?.part.id)}
      onBlur={() => onCell(undefined)}
      onKeyDown={onKeyDown}
    >
      <svg role="presentation" width={width} height={height}>
        <Hatch id={hatch} />
        {gutter > 0 &&
          Array.from({ length: rows }, (_, level) => (
            <text key={level} className="level" aria-hidden x={0} y={level * high + high / 2 + 4}>
              {texts.generation(level)}
            </text>
          ))}
        {placed.map((cell) => {
          const siblings = cells[cell.parent]?.children ?? [cell.index]
          return (
            <MapCell
              key={cell.part.id}
              cell={cell}
              texts={texts}
              position={siblings.indexOf(cell.index) + 1}
              siblings={siblings.length}
              average={average}
              zoom={zoomOf(cell)}
              isTabStop={cell === stop}
              hatch={hatch}
            />
          )
        })}
      </svg>
    </Root>
  )
})

const cellOf = (placed: readonly Placed[], target: EventTarget): Placed | undefined => {
  const index = (target as Element).closest<SVGElement>('[data-index]')?.dataset.index
  return placed.find((cell) => String(cell.index) === index)
}

const focusCell = (frame: HTMLElement | null, index: number) =>
  frame?.querySelector<SVGElement>(`[data-index="${index}"]`)?.focus()

/** Moves the focus to the top when the focused cell disappears. */
function useKeptFocus(frame: { current: HTMLElement | null }, cells: readonly Cell[]): void {
  const state = useRef<'inside' | 'outside'>('outside')
  useEffect(() => {
    const readFocus = ({ target }: FocusEvent) => {
      state.current = frame.current?.contains(target as Node) ? 'inside' : 'outside'
    }
    document.addEventListener('focusin', readFocus)
    return () => document.removeEventListener('focusin', readFocus)
  }, [frame])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other cells may lack the one with the focus
  useEffect(() => {
    if (state.current === 'inside' && document.activeElement === document.body) focusCell(frame.current, 0)
  }, [cells, frame])
}

/** Draws the pattern of lines for a sum of small legs. */
export function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width={7} height={7} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className="hatching" width={1.5} height={7} />
      </pattern>
    </defs>
  )
}

const Root = styled('div')(({ theme }) => ({
  ...growthTints(theme),
  overflow: 'hidden',
  '& svg': { display: 'block' },
  '& text': { fontSize: 12, fontFamily: fonts.text, fontVariantNumeric: 'tabular-nums', pointerEvents: 'none' },
  '& .level, & .figures': { fill: theme.vars?.palette.text.secondary },
  '& .figures': { fill: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 82%, transparent)` },
  '& .name': { fill: theme.vars?.palette.text.primary, fontFamily: fonts.address },
  '& .name:not([data-kind="leg"])': { fontFamily: fonts.text },
  '& .hatching': { fill: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 13%, transparent)` },
  '& .hatch, & .edge, & .deeper': { pointerEvents: 'none' },
  '& .edge': { fill: 'var(--growth)' },
  '& .deeper': { fill: 'none', stroke: theme.vars?.palette.text.primary, strokeWidth: 1.5 },
  '& .cell': { outline: 'none', transition: 'transform 240ms ease-out' },
  // Each moving rectangle costs a phone time in every frame.
  '& .area': { transition: 'width 240ms ease-out' },
  '& .cell[data-zoom="in"], & .cell[data-zoom="up"]': { cursor: 'zoom-in' },
  '& .cell[data-zoom="up"]': { cursor: 'zoom-out' },
  '& .cell:hover .area': { stroke: theme.vars?.palette.text.primary, strokeWidth: 1 },
  '& .cell:focus-visible .area': { stroke: theme.vars?.palette.primary.main, strokeWidth: 3 },
}))
