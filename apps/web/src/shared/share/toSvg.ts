/** CSS properties that a saved picture keeps. */
const kept = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const

const namespace = 'http://www.w3.org/2000/svg'

const margin = 24
const titleHeight = 40
const noteHeight = 18
const legendGap = 14
const headHeight = 24

export type ChartParts = {
  title: string
  /** Lines below the title. */
  notes?: readonly string[]
  /** Drawn below the chart. */
  legend?: Element | null
}

/**
 * Returns a chart of the page as a standalone SVG file: below its title and notes, with its styles and legend, on the
 * page's background. Private labels are replaced by addresses.
 */
export function toSvg(element: Element, { title, notes = [], legend }: ChartParts): string {
  const chart = element.querySelector('svg[width]') ?? element
  const picture = chart instanceof SVGSVGElement ? copySvg(chart) : copyTable(chart)
  const below = legend ? [copyLegend(legend)] : []
  const top = margin + titleHeight + notes.length * noteHeight
  let bottom = place(picture, top)
  for (const part of below) bottom = place(part, bottom + legendGap)
  const style = getComputedStyle(document.body)
  const texts = [
    measure(title, `600 17px ${style.fontFamily}`),
    ...notes.map((note) => measure(note, `12px ${style.fontFamily}`)),
  ]
  const width = Math.ceil(Math.max(...[picture, ...below].map(widthOf), ...texts)) + 2 * margin
  const height = bottom + margin
  const ink = { x: margin, fill: toHex(style.color), 'font-family': style.fontFamily }
  const file = create('svg', { width, height, viewBox: `0 0 ${width} ${height}` })
  file.append(
    create('rect', { width, height, fill: toHex(style.backgroundColor) }),
    create('text', { ...ink, y: margin + 17, 'font-size': 17, 'font-weight': 600 }, title),
    ...notes.map((note, line) => create('text', { ...ink, y: margin + 38 + line * noteHeight, 'font-size': 12 }, note)),
    picture,
    ...below,
  )
  return new XMLSerializer().serializeToString(file)
}

/** Returns the width of a text in pixels. */
function measure(text: string, font: string): number {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return 0
  context.font = font
  return context.measureText(text).width
}

const widthOf = (part: SVGSVGElement) => Number(part.getAttribute('width'))

/** Places a part of the file at a height and returns its lower end. */
function place(part: SVGSVGElement, top: number): number {
  part.setAttribute('x', String(margin))
  part.setAttribute('y', String(top))
  return top + Number(part.getAttribute('height'))
}

function create<name extends 'svg' | 'rect' | 'text'>(
  name: name,
  attributes: Record<string, string | number>,
  text = '',
): SVGElementTagNameMap[name] {
  const part = document.createElementNS(namespace, name) as SVGElementTagNameMap[name]
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, String(value))
  part.textContent = text
  return part
}

/** Copies an SVG with the styles of its classes. */
function copySvg(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const originals = svg.querySelectorAll('*')
  for (const [index, part] of copy.querySelectorAll('*').entries()) {
    keepStyle(part, originals[index] as Element)
    for (const name of part.getAttributeNames())
      if (/^(style|class|role|tabindex|aria-.*|data-.*)$/.test(name) && name !== 'data-plain')
        part.removeAttribute(name)
    const plain = part.getAttribute('data-plain')
    if (plain === null) continue
    part.textContent = plain
    part.removeAttribute('data-plain')
  }
  for (const name of copy.getAttributeNames()) if (!/^(width|height)$/.test(name)) copy.removeAttribute(name)
  return copy
}

function keepStyle(part: Element, original: Element): void {
  const style = getComputedStyle(original)
  for (const name of kept) {
    const value = style.getPropertyValue(name)
    // A reference to a pattern is already in its attribute.
    if (value !== '' && !value.startsWith('url('))
      part.setAttribute(name, /^(fill|stroke)$/.test(name) ? toHex(value) : value)
  }
}

/** Draws a table with bars as an SVG, with each text and bar at its place on the page. */
function copyTable(table: Element): SVGSVGElement {
  const svg = createLike(table)
  for (const bar of table.querySelectorAll('tbody i')) {
    const { width, height } = bar.getBoundingClientRect()
    const fill = toHex(getComputedStyle(bar).backgroundColor)
    svg.append(create('rect', { ...placeIn(table, bar), width, height, fill }))
  }
  for (const body of table.querySelectorAll('tbody')) svg.append(...copyTexts(body, table))
  return withHead(svg, table)
}

/** Adds the heads of a table's columns above it, because those on the page may be only for screen readers. */
function withHead(body: SVGSVGElement, table: Element): SVGSVGElement {
  const cells = table.querySelectorAll('tbody tr:first-of-type > *')
  const heads = [...table.querySelectorAll('thead th')].map((head, column) => {
    const { fontFamily, fontSize, color } = getComputedStyle(head)
    const { x } = placeIn(table, cells[column] ?? head)
    const font = { 'font-family': fontFamily, 'font-size': fontSize, fill: toHex(color) }
    return create('text', { x, y: headHeight * 0.6, ...font }, head.textContent ?? '')
  })
  const whole = create('svg', { width: widthOf(body), height: Number(body.getAttribute('height')) + headHeight })
  body.setAttribute('y', String(headHeight))
  whole.append(...heads, body)
  return whole
}

/** Draws a legend as an SVG, with each text and symbol at its place on the page. */
function copyLegend(legend: Element): SVGSVGElement {
  const svg = createLike(legend)
  for (const symbol of legend.querySelectorAll('svg')) {
    const copy = copySvg(symbol)
    for (const [name, value] of Object.entries(placeIn(legend, symbol))) copy.setAttribute(name, String(value))
    svg.append(copy)
  }
  svg.append(...copyTexts(legend, legend))
  return svg
}

function createLike(element: Element): SVGSVGElement {
  const { width, height } = element.getBoundingClientRect()
  return create('svg', { width: Math.ceil(width), height: Math.ceil(height) })
}

function placeIn(whole: Element, part: Element | Range): { x: number; y: number } {
  const box = whole.getBoundingClientRect()
  const { left, top } = part.getBoundingClientRect()
  return { x: left - box.left, y: top - box.top }
}

/** Copies the texts below an element to their place in the whole picture. */
function* copyTexts(element: Element, whole: Element): Generator<SVGTextElement> {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(node)
    const style = getComputedStyle(node.parentElement ?? element)
    const { x, y } = placeIn(whole, range)
    const font = { 'font-family': style.fontFamily, 'font-size': style.fontSize, fill: toHex(style.color) }
    const baseline = y + range.getBoundingClientRect().height * 0.78
    yield create('text', { x, y: baseline, ...font }, node.textContent ?? '')
  }
}

/** Converts a colour to a form that other programs read: `#rrggbb`, with transparency as two more digits. */
function toHex(color: string): string {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (color === 'none' || !context) return color
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data
  const digits = [red, green, blue, ...(alpha < 255 ? [alpha] : [])]
  return `#${digits.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Draws an SVG file as a PNG at twice the size. */
export async function toPng(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: image.width * 2, height: image.height * 2 })
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The browser could not create the PNG.'))),
      'image/png',
    ),
  )
}
