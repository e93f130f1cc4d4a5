import { expect, test } from 'vitest'
import { createForest } from '../index.ts'

const zero = `0x${'0'.repeat(40)}`
const day = 86_400
const start = 20_000 * day
const addressOf = (value: number) => `0x${value.toString(16).padStart(40, '1')}`

test('behavior: metrics of an empty forest', () => {
  const nothing = { members: 0, volume: 0n, rewards: 0n }
  const none = { last24h: nothing, last7d: nothing, last30d: nothing }
  expect(createForest().metrics({ now: start })).toEqual({
    members: 0,
    referrers: 0,
    roots: 0,
    maxDepth: 0,
    averageDirects: null,
    volume: 0n,
    rewards: 0n,
    ...none,
    previous: none,
    dirty: { self: 0, duplicate: 0, cycle: 0, placeholder: 0 },
    undated: 0,
    series: [],
    depths: [],
    directsHistogram: [0, 1, 2, 3, 6, 11, 21, 51, 101, 501].map((from, index, all) => ({
      from,
      to: index === all.length - 1 ? null : (all[index + 1] as number) - 1,
      count: 0,
    })),
    leaders: { team: [], directs: [], volume: [] },
  })
})

test('behavior: a period ends with now and begins just after the same second before it', () => {
  const forest = createForest()
  forest.bind({ block: 1, logIndex: 0, timestamp: start, member: addressOf(1), referrer: zero })
  forest.addVolume({ block: 2, logIndex: 0, timestamp: start + 1, member: addressOf(1), amount: 4n })
  expect(forest.metrics({ now: start + day - 1 }).last24h).toEqual({ members: 1, volume: 4n, rewards: 0n })
  expect(forest.metrics({ now: start + day }).last24h).toEqual({ members: 0, volume: 4n, rewards: 0n })
  expect(forest.metrics({ now: start + day + 1 }).last24h).toEqual({ members: 0, volume: 0n, rewards: 0n })
  expect(forest.metrics({ now: start + day + 1 }).last7d).toEqual({ members: 1, volume: 4n, rewards: 0n })
})

test('behavior: the series includes days without events, up to the day of now', () => {
  const forest = createForest()
  forest.bind({ block: 1, logIndex: 0, timestamp: start + 5, member: addressOf(1), referrer: zero })
  forest.addReward({ block: 2, logIndex: 0, timestamp: start + 2 * day, member: addressOf(1), amount: 4n })
  expect(forest.metrics({ now: start + 3 * day }).series).toEqual([
    { from: start, members: 1, totalMembers: 1, volume: 0n, rewards: 0n },
    { from: start + day, members: 0, totalMembers: 1, volume: 0n, rewards: 0n },
    { from: start + 2 * day, members: 0, totalMembers: 1, volume: 0n, rewards: 4n },
    { from: start + 3 * day, members: 0, totalMembers: 1, volume: 0n, rewards: 0n },
  ])
})

test('behavior: at most ten leaders of each kind, the greatest first', () => {
  const forest = createForest()
  let block = 0
  for (let leader = 1; leader <= 12; leader++)
    for (let direct = 0; direct < leader; direct++) {
      const member = addressOf(leader * 1000 + direct)
      const position = { block: ++block, logIndex: 0, timestamp: start + block }
      forest.bind({ ...position, member, referrer: addressOf(leader) })
      forest.addVolume({ ...position, member, amount: BigInt(100 - leader) })
    }
  const { leaders } = forest.metrics({ now: start })
  expect(leaders.team.map(({ team }) => team)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
  expect(leaders.directs.map(({ address }) => address)).toEqual(leaders.team.map(({ address }) => address))
  expect(leaders.volume[0]).toEqual({ address: addressOf(12), directs: 12, team: 12, teamVolume: 12n * 88n })
  expect(leaders.volume).toHaveLength(10)
})
