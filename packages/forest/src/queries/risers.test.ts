import { expect, test } from 'vitest'
import { createForest } from '../index.ts'
import { finish } from '../test/finish.ts'

const zero = `0x${'0'.repeat(40)}`
const addressOf = (value: number) => `0x${(2n ** 159n + BigInt(value)).toString(16)}`

test('behavior: each of five hundred members who joined counts once', () => {
  const forest = createForest()
  forest.bind({ block: 1, logIndex: 0, timestamp: 100, member: addressOf(1), referrer: zero })
  for (let value = 2; value <= 501; value++)
    forest.bind({
      block: 2,
      logIndex: value,
      timestamp: 200,
      member: addressOf(value),
      referrer: addressOf(Math.floor(value / 2)),
    })
  const period = { from: { block: 1 }, to: { block: 2 } }
  const { items } = finish(forest.risers(null, { period, by: 'members', limit: 1 }))
  expect(items).toEqual([{ address: addressOf(1), rank: 1, value: 500n }])
})

test('behavior: the team is the one at the end of the period', () => {
  const forest = createForest({ rebind: true })
  const [first, second, leader, newcomer] = [1, 2, 3, 4].map(addressOf) as [string, string, string, string]
  const bind = (block: number, member: string, referrer: string) =>
    forest.bind({ block, logIndex: 0, timestamp: block * 100, member, referrer })
  bind(1, first, zero)
  bind(2, second, zero)
  bind(3, leader, first)
  bind(4, newcomer, leader)
  bind(5, leader, second)
  const below = (top: string, block: number) =>
    finish(forest.risers(forest.find(top) as number, { period: { to: { block } }, by: 'members', limit: 9 })).items
  const grown = [{ address: leader, rank: 1, value: 1n }]
  expect(below(first, 4)).toEqual(grown)
  expect(below(second, 4)).toEqual([])
  expect(below(first, 5)).toEqual([])
  expect(below(second, 5)).toEqual(grown)
})
