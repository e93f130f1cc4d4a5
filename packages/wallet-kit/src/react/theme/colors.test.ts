import { getContrastRatio } from '@mui/material/styles'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findReadableShade, findReadableText } from './colors.ts'

const part = fc.integer({ min: 0, max: 255 })
/** A colour as hex and in the other notations that themes use. */
const color = fc.oneof(
  fc.tuple(part, part, part).map((parts) => `#${parts.map((it) => it.toString(16).padStart(2, '0')).join('')}`),
  fc.tuple(part, part, part).map(([red, green, blue]) => `rgb(${red}, ${green}, ${blue})`),
  fc
    .tuple(fc.integer({ min: 0, max: 359 }), fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }))
    .map(([hue, saturation, lightness]) => `hsl(${hue}, ${saturation}%, ${lightness}%)`),
)

test('property: a shade is readable on paper that is nearly white or black, and a readable colour stays', () => {
  fc.assert(
    fc.property(color, fc.constantFrom('#FFFFFF', '#FBFAF7', '#1A1D21', '#000000'), (it, paper) => {
      const shade = findReadableShade(it, paper)
      // MUI rounds the ratio down to two digits, and each part of an HSL colour to an integer.
      expect(getContrastRatio(shade.replaceAll(' ', ', ').replaceAll(',,', ','), paper)).toBeGreaterThan(4.4)
      if (getContrastRatio(it, paper) >= 4.6) expect(shade).toBe(it)
    }),
  )
})

test('property: one of white and black is readable on every colour', () => {
  fc.assert(
    fc.property(color, (it) => {
      const text = findReadableText(it, ['#FFFFFF', '#000000'])
      expect(getContrastRatio(text ?? it, it)).toBeGreaterThan(4.4)
    }),
  )
})

test('property: any other text is kept as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^\s*(#|rgb|hsl)/i.test(text))
      expect(findReadableShade(text, '#FFFFFF')).toBe(text)
      expect(findReadableText(text, ['#FFFFFF'])).toBeUndefined()
    }),
  )
})

test.each([
  ['#fff', '#ffffff'],
  ['#123F', '#112233'],
  ['rgb(0 128 255 / 50%)', '#0080ff'],
  ['rgb(100%, 0%, 0%)', '#ff0000'],
  ['hsl(0.5turn 100% 50%)', '#00ffff'],
  ['hsla(-240deg, 100%, 50%, 0.3)', '#00ff00'],
])('behavior: %s is read as %s', (notation, hex) => {
  const black = (it: string) => findReadableShade(it, '#808080').replace(it, 'kept')
  expect(black(notation)).toBe(black(hex))
})
