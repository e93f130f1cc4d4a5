import { memo } from 'react'
import { growthOf, growthStep, isCut, type Part, type Placed } from './layoutMap.ts'
import type { CellTexts, Seen } from './useCellTexts.ts'

type Props = {
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
export const MapCell = memo(function MapCell({
  cell,
  texts,
  position,
  siblings,
  average,
  zoom,
  isTabStop,
  hatch,
}: Props) {
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
