import { expect, test } from 'vitest'
import { createTurns } from './forAccount.ts'

test('behavior: works of one key run one after the other, also after a failure; other keys do not wait', async () => {
  const takeTurns = createTurns()
  const steps: string[] = []
  let reject = (_: Error) => {}
  const promise = new Promise<void>((_, rejectPromise) => {
    reject = rejectPromise
  })
  const first = takeTurns('a', () => promise.finally(() => steps.push('first')))
  const second = takeTurns('a', async () => steps.push('second'))
  await takeTurns('b', async () => steps.push('other'))
  expect(steps).toEqual(['other'])
  reject(new Error('failed'))
  await expect(first).rejects.toThrow('failed')
  await second
  expect(steps).toEqual(['other', 'first', 'second'])
})

test('attack: works beyond the queue are not run', async () => {
  const takeTurns = createTurns()
  let resolve = (_: number) => {}
  const promise = new Promise<number>((resolvePromise) => {
    resolve = resolvePromise
  })
  const works = Array.from({ length: 20 }, () => takeTurns('a', () => promise))
  expect(works.filter(Boolean)).toHaveLength(9)
  resolve(1)
  await Promise.all(works.filter((work) => work !== undefined))
  expect(await takeTurns('a', async () => 2)).toBe(2)
})
