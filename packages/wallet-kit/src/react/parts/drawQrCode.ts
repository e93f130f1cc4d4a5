import { create } from 'qrcode'

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
