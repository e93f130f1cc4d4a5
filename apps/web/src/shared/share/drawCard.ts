import { create } from 'qrcode'
import { colors } from '../../lib/theme.ts'

export type Scheme = keyof typeof colors

/** Texts of a card, in the reader's language. */
export type Card = {
  community: string
  address: string
  place: string
  facts: readonly { label: string; value: string }[]
  /** Members of the team by day, drawn as a line. */
  totals?: readonly number[] | undefined
  /** The past moment of a card, drawn in place of the line. */
  moment?: string | undefined
  /** Block and time of the figures. */
  block: readonly string[]
  link: string
}

type Fonts = { text: string; address: string }

/** Upright, as pictures are shown in a chat. */
export const cardSize = { width: 900, height: 1_200 }
const margin = 64
const qrSize = 280

/** Draws a member's card on a canvas. */
export function drawCard(canvas: HTMLCanvasElement, card: Card, scheme: Scheme, fonts: Fonts): void {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser has no 2D canvas.')
  Object.assign(canvas, cardSize)
  const color = colors[scheme]
  const write = (
    text: string,
    x: number,
    y: number,
    font: string,
    fill: string,
    width = cardSize.width - x - margin,
  ) => {
    context.font = font
    context.fillStyle = fill
    context.fillText(text, x, y, width)
  }
  context.fillStyle = color.paper
  context.fillRect(0, 0, cardSize.width, cardSize.height)
  drawMark(context, color)
  write('Lineage', margin + 44, margin + 24, `600 32px ${fonts.text}`, color.ink)
  const nameEnd = margin + 44 + context.measureText('Lineage').width
  write(card.community, nameEnd + 18, margin + 24, `400 28px ${fonts.text}`, color.quiet)

  write(card.address.slice(0, 22), margin, 208, `500 50px ${fonts.address}`, color.ink)
  write(card.address.slice(22), margin, 270, `500 50px ${fonts.address}`, color.ink)
  write(card.place, margin, 332, `400 30px ${fonts.text}`, color.quiet)
  const column = (cardSize.width - 2 * margin) / card.facts.length
  for (const [index, { label, value }] of card.facts.entries()) {
    const x = margin + index * column
    write(label, x, 432, `400 28px ${fonts.text}`, color.quiet, column - 16)
    write(value, x, 500, `600 60px ${fonts.text}`, index === 0 ? color.jade : color.ink, column - 16)
  }
  if (card.moment) write(card.moment, margin, 640, `600 34px ${fonts.text}`, color.amber)
  if (card.totals) drawLine(context, card.totals, color)
  drawQrCode(context, card.link)
  const beside = cardSize.width - 2 * margin - qrSize - 32
  write(new URL(card.link).host, margin, 1_016, `600 32px ${fonts.text}`, color.ink, beside)
  for (const [line, text] of card.block.entries())
    write(text, margin, 1_070 + line * 42, `400 26px ${fonts.text}`, color.quiet, beside)
}

/** Draws the product's mark: three nodes on a line that branches once. */
function drawMark(context: CanvasRenderingContext2D, color: (typeof colors)[Scheme]): void {
  const [x, y] = [margin + 6, margin - 4]
  context.strokeStyle = color.ink
  context.lineWidth = 3
  context.stroke(new Path2D(`M${x} ${y}v36M${x} ${y + 14}h6c8 0 12 5 12 14`))
  for (const [dx, dy, fill] of [
    [0, 0, color.ink],
    [0, 36, color.ink],
    [18, 30, color.jade],
  ] as const) {
    context.fillStyle = fill
    context.fill(new Path2D(`M${x + dx - 6} ${y + dy}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0`))
  }
}

/** Draws the growth of the team as a line with its last point. */
function drawLine(context: CanvasRenderingContext2D, totals: readonly number[], color: (typeof colors)[Scheme]): void {
  const [left, top, width, height] = [margin, 580, cardSize.width - 2 * margin, 240]
  context.strokeStyle = color.hairline
  context.lineWidth = 2
  context.stroke(new Path2D(`M${left} ${top + height}h${width}`))
  const most = Math.max(1, ...totals)
  const points = totals.map((total, index) => ({
    x: left + (width * index) / Math.max(1, totals.length - 1),
    y: top + height * (1 - total / most),
  }))
  const last = points.at(-1)
  if (!last) return
  context.strokeStyle = color.ink
  context.lineWidth = 3
  context.lineJoin = 'round'
  context.stroke(new Path2D(`M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`))
  context.fillStyle = color.jade
  context.fill(new Path2D(`M${last.x - 8} ${last.y}a8 8 0 1 0 16 0a8 8 0 1 0 -16 0`))
}

/** Draws the link as a QR code, black on white in every scheme, as scanners expect. */
function drawQrCode(context: CanvasRenderingContext2D, link: string): void {
  const { modules } = create(link, { errorCorrectionLevel: 'M' })
  const quiet = 4
  const unit = Math.floor(qrSize / (modules.size + 2 * quiet))
  const side = unit * (modules.size + 2 * quiet)
  const [left, top] = [cardSize.width - margin - side, cardSize.height - margin - side]
  context.fillStyle = '#ffffff'
  context.fillRect(left, top, side, side)
  context.fillStyle = '#000000'
  for (let y = 0; y < modules.size; y++)
    for (let x = 0; x < modules.size; x++)
      if (modules.get(y, x)) context.fillRect(left + (x + quiet) * unit, top + (y + quiet) * unit, unit, unit)
}
