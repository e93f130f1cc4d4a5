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
