import type { Address } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type KeyboardEvent, memo, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { useWidth } from '../lookup/printing.tsx'
import {
  type Cell,
  cellAfter,
  growthOf,
  growthStep,
  growthTints,
  isCut,
  type Part,
  type Placed,
  placeCells,
} from './layoutMap.ts'
import type { CellTexts, Seen } from './useCellTexts.ts'

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

type CellProps = {
  cell: Placed
  texts: CellTexts
  /** Position among its siblings, from 1, and their number. */
  position: number
  siblings: number
  /** Growth of the community. */
  average: number
  zoom: 'in' | 'up' | 'none'
  isTabStop: boolean
  hatch: string
}

/** Space between two cells in pixels. */
const gap = 1.5
const padding = 9

/** Draws a leg, or the sum of small legs: coloured by growth, with the share of new members along its lower edge. */
const MapCell = memo(function MapCell({ cell, texts, position, siblings, average, zoom, isTabStop, hatch }: CellProps) {
  const { part, left, top, high } = cell
  const wide = Math.max(0.75, cell.wide - gap)
  const tall = high - gap
  const seen = seenTexts(cell, texts)
  const edge = wide * (part.recent / Math.max(1, part.members))
  return (
    <g
      className="cell"
      role="treeitem"
      tabIndex={isTabStop ? 0 : -1}
      aria-level={cell.level + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-label={texts.aloud(cell, seen)}
      {...(part.kind === 'leg' && part.directs > 0 && { 'aria-expanded': cell.children.length > 0 && !isCut(cell) })}
      data-index={cell.index}
      data-zoom={zoom}
      transform={`translate(${left} ${top})`}
      style={{ transform: `translate(${left}px, ${top}px)` }}
    >
      <rect
        className="area"
        data-step={growthStep(growthOf(part), average)}
        width={wide}
        height={tall}
        style={{ width: `${wide}px` }}
      />
      {part.kind === 'rest' && (
        <rect className="hatch" fill={`url(#${hatch})`} width={wide} height={tall} style={{ width: `${wide}px` }} />
      )}
      {edge > 0.3 && <rect className="edge" y={tall - 3} width={edge} height={3} style={{ width: `${edge}px` }} />}
      <CellText part={part} texts={texts} seen={seen} tall={tall} />
      {isDeeper(cell) && <path className="deeper" d={`M${wide - 17} ${tall - 15}l5 5l5 -5`} />}
    </g>
  )
})

/** Returns whether a cell shows the mark of levels below the picture, at the end of its second line. */
const isDeeper = (cell: Placed): boolean => isCut(cell) && cell.wide > 24

/** Returns the texts that a cell has room for. The top cell shows its full address. */
function seenTexts(cell: Placed, texts: CellTexts): Seen {
  const { part, level, wide } = cell
  const isWhole = level === 0 && part.kind === 'leg' && fits(part.address, wide)
  const name = isWhole ? part.address : texts.nameOf(part)
  const rest = isDeeper(cell) ? wide - 14 : wide
  return { name: fits(name, wide) ? name : undefined, line: texts.lines(part).find((text) => fits(text, rest)) }
}

type TextProps = { part: Part; texts: CellTexts; seen: Seen; tall: number }

function CellText({ part, texts, seen: { name, line }, tall }: TextProps) {
  const middle = tall / 2
  const plain = part.kind === 'leg' && name === part.address ? name : texts.plainName(part)
  return (
    <g aria-hidden>
      {name && (
        <text className="name" data-kind={part.kind} data-plain={plain} x={padding} y={line ? middle - 4 : middle + 4}>
          {name}
        </text>
      )}
      {line && (
        <text className="figures" x={name ? padding : 5} y={name ? middle + 13 : middle + 4}>
          {/* The texts are two words. */ name ? ` ${line}` : line}
        </text>
      )}
    </g>
  )
}

/** Estimates whether a text fits into a width: Chinese characters are twice as wide as others. */
const fits = (text: string, room: number): boolean =>
  [...text].reduce((sum, letter) => sum + (letter > '\u2E80' ? 12 : 7.2), padding * 2 - 4) <= room
