import { getContrastRatio } from '@mui/material/styles'
import { expect, test } from 'vitest'
import { colors } from './theme.ts'

/** Blends a colour with alpha over an opaque background. */
const over = (color: string, ground: string) => {
  const [r = 0, g = 0, b = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number)
  const under = [1, 3, 5].map((at) => Number.parseInt(ground.slice(at, at + 2), 16))
  return `rgb(${[r, g, b].map((value, index) => Math.round(value * alpha + (under[index] ?? 0) * (1 - alpha))).join(', ')})`
}

test.each(Object.entries(colors))(
  'behavior: %s: text is readable on the page and on dialogs and menus (AA)',
  (_, scheme) => {
    for (const ground of [scheme.paper, scheme.raised]) {
      for (const name of ['ink', 'jade', 'amber', 'vermilion'] as const)
        expect([name, getContrastRatio(scheme[name], ground) >= 4.5]).toEqual([name, true])
      expect(getContrastRatio(over(scheme.quiet, ground), ground)).toBeGreaterThanOrEqual(4.5)
    }
    expect(getContrastRatio(scheme.onJade, scheme.jade)).toBeGreaterThanOrEqual(4.5)
  },
)
