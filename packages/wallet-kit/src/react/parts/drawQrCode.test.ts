import fc from 'fast-check'
import jsQR from 'jsqr'
import { expect, test } from 'vitest'
import { drawQrCode } from './drawQrCode.ts'

/** Reads the path like a scanner, at some pixels per module. */
function read(text: string): string | undefined {
  const scale = 3
  const { path, size } = drawQrCode(text)
  const width = size * scale
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let dy = 0; dy < scale; dy++)
      for (let dx = 0; dx < Number(length) * scale; dx++) {
        const pixel = ((Number(y) * scale + dy) * width + Number(x) * scale + dx) * 4
        pixels.fill(0, pixel, pixel + 3)
      }
  return jsQR(pixels, width, width)?.data
}

test('a scanner reads the given text', () => {
  const topic = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
  fc.assert(
    fc.property(topic, topic, (topic, key) => {
      const uri = `wc:${topic}@2?relay-protocol=irn&symKey=${key}&expiryTimestamp=1795190673`
      expect(read(uri)).toBe(uri)
    }),
    { numRuns: 10 },
  )
})

test('has a quiet zone of four modules', () => {
  const { path, size } = drawQrCode('wc:')
  const rows = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, length]) => [
    Number(x),
    Number(y),
    Number(length),
  ])
  expect(Math.min(...rows.flatMap(([x = 0, y = 0]) => [x, y]))).toBe(4)
  expect(Math.max(...rows.flatMap(([x = 0, y = 0, length = 0]) => [x + length, y + 1]))).toBe(size - 4)
})
