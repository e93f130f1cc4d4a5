import { expect, test } from 'vitest'
import { selectEncoding } from './contentEncoding.ts'

test.each([
  [null, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.1, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=nonsense', 'identity'],
] as const)('behavior: for the Accept-Encoding %s it is %s', (header, encoding) => {
  expect(selectEncoding(header, ['br', 'gzip'])).toBe(encoding)
})
