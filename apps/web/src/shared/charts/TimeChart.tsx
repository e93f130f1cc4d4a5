import { styled } from '@mui/material/styles'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { useWidth } from '../lookup/printing.tsx'
import type { ChartSource } from '../share/ChartFiles.tsx'

/** Reserves the height of a time chart and the buttons below it while its answer loads. */
export const ChartPlace = styled('div')({ minHeight: 304 })

const ChartFiles = lazyPart(() => import('../share/ChartFiles.tsx'))

/** `tick` is the label under the axis. */
type Point = { key: string; label: string; tick: string; value: number; text: string }

type Props = {
  /** Accessible name. */
  label: string
  points: readonly Point[]
  form: 'line' | 'bars'
  formatTick: (value: number) => string
  source: ChartSource
}

/** Draws one series over time as a line or bars; the chosen point shows its value. */
export function TimeChart({ label, points, form, formatTick, source }: Props) {
  const { t } = useTranslation()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [chosen, setChosen] = useState<number>()
  const last = points.length - 1
  const at = Math.min(chosen ?? last, last)
  const point = points[at]
  if (!point) return null

  const scale = chartScale(points, width)
  const text = `${point.label} · ${point.text}`
  const choose = (index: number) => setChosen(Math.max(0, Math.min(last, index)))
  const choosePoint = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect()
    if (box) choose(scale.indexAt(event.clientX - box.left))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last, PageUp: at - 7, PageDown: at + 7 }[
      event.key
    ]
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  return (
    <>
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
        onPointerMove={choosePoint}
        onPointerDown={choosePoint}
        onPointerLeave={() => setChosen(undefined)}
        onKeyDown={onKeyDown}
      >
        <svg aria-hidden width={width} height={scale.height}>
          <Grid scale={scale} formatTick={formatTick} />
          {form === 'line' ? (
            <Line scale={scale} points={points} at={at} />
          ) : (
            <Bars scale={scale} points={points} chosen={chosen === undefined ? undefined : at} />
          )}
          {chosen !== undefined && (
            <line className="at" x1={scale.x(at)} x2={scale.x(at)} y1={scale.top - 6} y2={scale.base} />
          )}
          <text className="value" {...scale.valueLabel(at)} y={14}>
            {text}
          </text>
          <DayLabels scale={scale} points={points} />
        </svg>
      </Root>
      <ChartFiles name={label} chart={frame} source={source} />
    </>
  )
}

type PartProps = { scale: ChartScale; points: readonly Point[] }

function Grid({ scale, formatTick }: { scale: ChartScale; formatTick: (value: number) => string }) {
  const { ticks, left, width, y } = scale
  return ticks.map((tick) => (
    <g key={tick}>
      <line className="grid" x1={left} x2={width} y1={Math.round(y(tick)) + 0.5} y2={Math.round(y(tick)) + 0.5} />
      <text x={left - 10} y={y(tick) + 4} textAnchor="end">
        {formatTick(tick)}
      </text>
    </g>
  ))
}

function Line({ scale: { x, y }, points, at }: PartProps & { at: number }) {
  return (
    <>
      <path className="line" d={pathOf(points.map(({ value }, index) => [x(index), y(value)]))} />
      <circle className="node" cx={x(at)} cy={y(points[at]?.value ?? 0)} r={4.5} />
    </>
  )
}

/** Returns the data of a path in tenths of a pixel. Its steps repeat, unlike its points, so that they compress well. */
function pathOf(points: readonly [x: number, y: number][]): string {
  const last = [0, 0]
  const steps = points.map((point) =>
    point.map((value, axis) => {
      const tenths = Math.round(value * 10)
      const step = tenths - (last[axis] as number)
      last[axis] = tenths
      return step / 10
    }),
  )
  return `m${steps.map((step) => step.join(' ')).join(' ')}`
}

function Bars({ scale: { x, y, step, base }, points, chosen }: PartProps & { chosen: number | undefined }) {
  return points.map(({ key, value }, index) => (
    <rect
      key={key}
      className={index === chosen ? 'bar chosen' : 'bar'}
      x={x(index) - Math.max(0.5, step * 0.36)}
      width={Math.max(1, step * 0.72)}
      y={y(value)}
      height={Math.max(0, base - y(value))}
    />
  ))
}

function DayLabels({ scale: { x, height, labelled }, points }: PartProps) {
  return labelled.map((index) => (
    <text
      key={index}
      x={x(index)}
      y={height - 6}
      textAnchor={index === 0 ? 'start' : index === points.length - 1 ? 'end' : 'middle'}
    >
      {points[index]?.tick}
    </text>
  ))
}

const Root = styled('div')(({ theme }) => ({
  height: chartHeight,
  overflow: 'hidden',
  // Firefox would print its parts on two pages.
  breakInside: 'avoid',
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

export type ChartScale = ReturnType<typeof chartScale>

export const chartHeight = 260
const top = 26
const bottom = 28
const left = 52
/** Half the width of the last point. */
const right = 6

/** Maps the points of a time chart to pixels. */
export function chartScale(points: readonly { value: number }[], width: number) {
  const last = points.length - 1
  const ticks = niceTicks(Math.max(...points.map(({ value }) => value)))
  const ceiling = ticks.at(-1) ?? 1
  const step = (width - left - right) / points.length
  const x = (index: number) => left + step * (index + 0.5)
  const y = (value: number) => top + (1 - value / ceiling) * (chartHeight - top - bottom)
  // Phones have room for three labels.
  const spaces = width < 480 ? 2 : 3
  return {
    width,
    height: chartHeight,
    top,
    left,
    ticks,
    step,
    x,
    y,
    base: y(0),
    indexAt: (pixel: number) => Math.floor((pixel - left) / step),
    /** Points with a label under the axis. */
    labelled: [...new Set(Array.from({ length: spaces + 1 }, (_, index) => Math.floor((last * index) / spaces)))],
    /** Keeps the value's text inside the chart. */
    valueLabel(index: number): { x: number; textAnchor: 'start' | 'middle' | 'end' } {
      if (index < points.length * 0.2) return { x: Math.max(left, x(index) - 6), textAnchor: 'start' }
      if (index > points.length * 0.8) return { x: Math.min(width, x(index) + 6), textAnchor: 'end' }
      return { x: x(index), textAnchor: 'middle' }
    },
  }
}

/**
 * Returns about four round values from 0 to at least `greatest`.
 *
 * @example
 * niceTicks(37) // [0, 10, 20, 30, 40]
 */
export function niceTicks(greatest: number): number[] {
  if (!(greatest > 0) || !Number.isFinite(greatest)) return [0, 1]
  const rough = greatest / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const steps = Math.ceil(greatest / step - 1e-9)
  return Array.from({ length: steps + 1 }, (_, index) => index * step)
}
