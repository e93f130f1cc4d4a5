import { styled } from '@mui/material/styles'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { niceTicks } from './niceTicks.ts'

/** `tick` is the label as it is written under the axis. */
type Point = { key: string; label: string; tick: string; value: number; text: string }

type Props = {
  /** What is shown, for those who hear it. */
  label: string
  points: readonly Point[]
  form: 'line' | 'bars'
  formatTick: (value: number) => string
}

const height = 260
const top = 26
const bottom = 28
/** Half of the node at the last day. */
const right = 6

/** One series over time: a line or bars in ink, the chosen day in jade, its value above it. */
export function TimeChart({ label, points, form, formatTick }: Props) {
  const { t } = useTranslation()
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(640)
  const [chosen, setChosen] = useState<number>()

  useEffect(() => {
    const element = frame.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const last = points.length - 1
  const at = Math.min(chosen ?? last, last)
  const point = points[at]
  if (!point) return null

  const ticks = niceTicks(Math.max(...points.map(({ value }) => value)))
  const ceiling = ticks.at(-1) ?? 1
  const left = 52
  const step = (width - left - right) / points.length
  const x = (index: number) => left + step * (index + 0.5)
  const y = (value: number) => top + (1 - value / ceiling) * (height - top - bottom)
  const base = y(0)
  // On a phone there is room for three.
  const spaces = width < 480 ? 2 : 3
  const labelled = new Set(Array.from({ length: spaces + 1 }, (_, index) => Math.floor((last * index) / spaces)))

  const follow = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect()
    if (box) setChosen(Math.max(0, Math.min(last, Math.floor((event.clientX - box.left - left) / step))))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last, PageUp: at - 7, PageDown: at + 7 }[
      event.key
    ]
    if (next === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(last, next)))
  }
  const text = `${point.label} · ${point.text}`
  const anchor = at < points.length * 0.2 ? 'start' : at > points.length * 0.8 ? 'end' : 'middle'

  return (
    <Root
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-roledescription={t('chart.role')}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at}
      aria-valuetext={text}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={() => setChosen(undefined)}
      onKeyDown={onKeyDown}
    >
      <svg aria-hidden width={width} height={height}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="grid" x1={left} x2={width} y1={Math.round(y(tick)) + 0.5} y2={Math.round(y(tick)) + 0.5} />
            <text x={left - 10} y={y(tick) + 4} textAnchor="end">
              {formatTick(tick)}
            </text>
          </g>
        ))}
        {form === 'line' ? (
          <path
            className="line"
            d={`M${points.map(({ value }, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}`}
          />
        ) : (
          points.map(({ key, value }, index) => (
            <rect
              key={key}
              className={index === at && chosen !== undefined ? 'bar chosen' : 'bar'}
              x={x(index) - Math.max(0.5, step * 0.36)}
              width={Math.max(1, step * 0.72)}
              y={y(value)}
              height={Math.max(0, base - y(value))}
            />
          ))
        )}
        {form === 'line' && <circle className="node" cx={x(at)} cy={y(point.value)} r={4.5} />}
        {chosen !== undefined && <line className="at" x1={x(at)} x2={x(at)} y1={top - 6} y2={base} />}
        <text
          className="value"
          x={anchor === 'start' ? Math.max(left, x(at) - 6) : anchor === 'end' ? Math.min(width, x(at) + 6) : x(at)}
          y={14}
          textAnchor={anchor}
        >
          {text}
        </text>
        {[...labelled].map((index) => (
          <text
            key={index}
            x={x(index)}
            y={height - 6}
            textAnchor={index === 0 ? 'start' : index === last ? 'end' : 'middle'}
          >
            {points[index]?.tick}
          </text>
        ))}
      </svg>
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
  height,
  overflow: 'hidden',
  touchAction: 'pan-y',
  cursor: 'crosshair',
  '& svg': { display: 'block' },
  '& text': { fill: theme.vars?.palette.text.secondary, fontSize: 12, fontVariantNumeric: 'tabular-nums' },
  '& .value': { fill: theme.vars?.palette.text.primary, fontSize: 13 },
  '& .grid': { stroke: theme.vars?.palette.divider },
  '& .line': { fill: 'none', stroke: theme.vars?.palette.text.primary, strokeWidth: 1.5, strokeLinejoin: 'round' },
  '& .bar': { fill: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 72%, transparent)` },
  '& .bar.chosen, & .node': { fill: theme.vars?.palette.primary.main },
  '& .at': { stroke: theme.vars?.palette.primary.main, strokeDasharray: '2 3' },
}))
