import { expect, test } from 'vitest'
import { createCache } from './cache.ts'

test('behavior: a value is loaded once for its time, a failure is not kept, and the oldest gives way', async () => {
  let time = 0
  const loaded: string[] = []
  const find = createCache<string>({ maxAge: 10, size: 2, now: () => time })
  const load = (key: string) => find(key, async () => `${loaded.push(key)}`)
  expect(await Promise.all([load('a'), load('a')])).toEqual(['1', '1'])
  time = 10
  expect(await load('a')).toBe('2')
  await load('b')
  await load('c')
  expect(await load('b')).toBe('3')
  expect(await load('a')).toBe('5')
  await expect(find('d', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await load('d')).toBe('6')
})
