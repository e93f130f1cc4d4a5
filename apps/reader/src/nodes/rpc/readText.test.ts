import { expect, test } from 'vitest'
import { readText } from './readText.ts'

async function* cut(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const bytes = new TextEncoder().encode('a – 好')

test('behavior: chunks may end within a character', async () => {
  expect(await readText(cut(bytes, 1), bytes.length)).toBe('a – 好')
})

test('behavior: stops at the first byte too many', async () => {
  let taken = 0
  async function* count() {
    for await (const chunk of cut(bytes, 1)) {
      taken++
      yield chunk
    }
  }
  expect(await readText(count(), 3)).toBeUndefined()
  expect(taken).toBe(4)
})
