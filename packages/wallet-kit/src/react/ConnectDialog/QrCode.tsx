import { create } from 'qrcode'
import { useMemo } from 'react'

type QrCodeProps = { text: string; label: string }

/** Draws a QR code, dark on light in every colour scheme, because some scanners cannot read the inverse. */
export function QrCode({ text, label }: QrCodeProps) {
  const { path, size } = useMemo(() => drawQrCode(text), [text])
  return (
    <svg
      className="wk-qr-code wk-own"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}

/** Number of light modules around a code, which scanners require. */
const quietZone = 4

/** Returns a QR code as the path of an SVG, one unit per module, including its quiet zone. */
export function drawQrCode(text: string): { path: string; size: number } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  let path = ''
  for (let y = 0; y < modules.size; y++)
    for (let x = 0; x < modules.size; x++) {
      const start = x
      while (x < modules.size && modules.get(y, x)) x++
      if (x > start) path += `M${start + quietZone} ${y + quietZone}h${x - start}v1h${start - x}z`
    }
  return { path, size: modules.size + 2 * quietZone }
}
