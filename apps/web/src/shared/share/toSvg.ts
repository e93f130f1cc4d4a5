/** Styles that a saved picture keeps. */
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

/**
 * Returns a chart of the page as an SVG file of its own: below its title, with its styles, on the page's background. Private
 * labels are replaced by their addresses.
 */
export function toSvg(element: Element, title: string): string {
  const chart = element.querySelector('svg[width]') ?? element
  const picture = chart instanceof SVGSVGElement ? copySvg(chart) : copyTable(chart)
  const width = Number(picture.getAttribute('width')) + 2 * margin
  const height = Number(picture.getAttribute('height')) + 2 * margin + titleHeight
  picture.setAttribute('x', String(margin))
  picture.setAttribute('y', String(margin + titleHeight))
  const style = getComputedStyle(document.body)
  const file = create('svg', { width, height, viewBox: `0 0 ${width} ${height}` })
  const font = { 'font-family': style.fontFamily, 'font-size': 17, 'font-weight': 600 }
  file.append(
    create('rect', { width, height, fill: toHex(style.backgroundColor) }),
    create('text', { x: margin, y: margin + 17, fill: toHex(style.color), ...font }, title),
    picture,
  )
  return new XMLSerializer().serializeToString(file)
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

/** Copies an SVG, with the styles that its classes give. */
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
    // A reference to a pattern stands in its attribute.
    if (value !== '' && !value.startsWith('url('))
      part.setAttribute(name, /^(fill|stroke)$/.test(name) ? toHex(value) : value)
  }
}

/** Draws a table with bars as an SVG: each text and each bar where the page has it. */
function copyTable(table: Element): SVGSVGElement {
  const box = table.getBoundingClientRect()
  const svg = create('svg', { width: Math.ceil(box.width), height: Math.ceil(box.height) })
  for (const bar of table.querySelectorAll('tbody i')) {
    const { left, top, width, height } = bar.getBoundingClientRect()
    const fill = toHex(getComputedStyle(bar).backgroundColor)
    svg.append(create('rect', { x: left - box.left, y: top - box.top, width, height, fill }))
  }
  const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const owner = node.parentElement
    const range = document.createRange()
    range.selectNodeContents(node)
    const { left, top, height } = range.getBoundingClientRect()
    // The caption and the head may be for screen readers only.
    if (!owner?.closest('tbody')) continue
    const style = getComputedStyle(owner)
    const place = { x: left - box.left, y: top - box.top + height * 0.78 }
    const font = { 'font-family': style.fontFamily, 'font-size': style.fontSize }
    svg.append(create('text', { ...place, ...font, fill: toHex(style.color) }, node.textContent ?? ''))
  }
  return svg
}

/** Returns a colour as other programs read it: `#rrggbb`, with transparency as two more digits. */
function toHex(color: string): string {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (color === 'none' || !context) return color
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data
  const digits = [red, green, blue, ...(alpha < 255 ? [alpha] : [])]
  return `#${digits.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Draws an SVG file as a PNG, twice as large. */
export async function toPng(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: image.width * 2, height: image.height * 2 })
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser drew no picture.'))), 'image/png'),
  )
}
