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
