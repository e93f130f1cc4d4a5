/** Red, green and blue from 0 to 255. */
type Rgb = readonly [number, number, number]

/** Contrast that WCAG 2.2 requires for text at level AA. */
const minContrast = 4.5

/**
 * Returns the first of the text colours that is readable on `color`. Without one, or for a notation other than hex, `rgb()` and
 * `hsl()`, returns `undefined`.
 */
export function findReadableText(color: string, texts: readonly string[]): string | undefined {
  const on = parseColor(color)
  return texts.find((text) => contrast(parseColor(text), on) >= minContrast)
}

/**
 * Returns `color` if it is readable on `paper`, otherwise the nearest readable shade: darker on light paper, lighter on dark
 * paper. A colour in another notation than hex, `rgb()` and `hsl()` is returned as it is.
 *
 * @see https://www.w3.org/TR/WCAG22/#contrast-minimum
 */
export function findReadableShade(color: string, paper: string): string {
  const [from, on] = [parseColor(color), parseColor(paper)]
  if (!from || !on || contrast(from, on) >= minContrast) return color
  const end = luminance(on) > 0.18 ? 0 : 255
  for (let step = 1; step <= 10; step++) {
    const shade = from.map((part) => Math.round(part + ((end - part) * step) / 10)) as unknown as Rgb
    if (contrast(shade, on) >= minContrast) return `rgb(${shade.join(' ')})`
  }
  return color
}

/** Returns the contrast of two colours, `NaN` if one is unknown. */
function contrast(one: Rgb | undefined, other: Rgb | undefined): number {
  if (!one || !other) return Number.NaN
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const value = part / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Parses hex, `rgb()` and `hsl()`. An opacity is ignored. */
function parseColor(color: string): Rgb | undefined {
  const text = color.trim().toLowerCase()
  const hex = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(text)?.[1]
  if (hex) {
    const size = hex.length < 6 ? 1 : 2
    const part = (index: number) => Number.parseInt(hex.slice(index * size, (index + 1) * size).repeat(3 - size), 16)
    return [part(0), part(1), part(2)]
  }
  const [, name, list = ''] = /^(rgb|hsl)a?\(([^)]+)\)$/.exec(text) ?? []
  const parts = list.split(/[\s,/]+/).filter(Boolean)
  const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = parts.map(Number.parseFloat)
  if (!name || [first, second, third].some(Number.isNaN)) return undefined
  if (name === 'hsl') return fromHsl(first * (turns[parts[0]?.replace(/^[-\d.e]+/, '') ?? ''] ?? 1), second, third)
  return [first, second, third].map((part, index) =>
    parts[index]?.endsWith('%') ? part * 2.55 : part,
  ) as unknown as Rgb
}

/** Degrees of the units of an angle. */
const turns: Record<string, number> = { deg: 1, rad: 180 / Math.PI, grad: 0.9, turn: 360 }

/** @see https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const [s, l] = [saturation / 100, lightness / 100]
  const part = (n: number) => {
    const k = (((n + hue / 30) % 12) + 12) % 12
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return [part(0), part(8), part(4)]
}
