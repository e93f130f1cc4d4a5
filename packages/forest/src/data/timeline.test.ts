import { expect, test } from 'vitest'
import { amountOf } from '../lib/amounts.ts'
import { secondsADay } from '../lib/days.ts'
import { Timeline } from './timeline.ts'

test('behavior: thinning keeps the totals of every quarter of an hour, and of every second of the last 31 days', () => {
  const timeline = new Timeline()
  const start = 19_000 * secondsADay + 12_345
  const rows = 60_000
  const seconds = 100
  const timestampOf = (row: number) => start + row * seconds
  for (let row = 0; row < rows; row++) {
    const position = { block: row, logIndex: 0, timestamp: timestampOf(row) }
    timeline.addMember({ ...position, grade: 0 }, row - 10)
    timeline.add('volume', amountOf(3n), position, row - 10)
    timeline.add('rewards', amountOf(2n ** 130n), position, row - 10)
  }
  expect(timeline.length).toBeLessThan(rows * 0.95)

  const newest = timestampOf(rows - 1)
  const membersUntil = (timestamp: number) =>
    timestamp < start ? 0 : Math.min(rows, Math.floor((timestamp - start) / seconds) + 1)
  const expectExact = (timestamp: number) => {
    const members = membersUntil(timestamp)
    expect(timeline.until(timestamp)).toEqual({
      members,
      volume: 3n * BigInt(members),
      rewards: 2n ** 130n * BigInt(members),
    })
  }
  for (let end = start - (start % 900); end < newest + secondsADay; end += 900) expectExact(end - 1)
  for (let timestamp = newest - 31 * secondsADay; timestamp <= newest; timestamp += 299) expectExact(timestamp)
  expect(Math.floor((timeline.firstMemberTime() ?? 0) / 900)).toBe(Math.floor(start / 900))

  timeline.rollback(rows - 11)
  expect(timeline.until(newest).members).toBe(rows - 10)
  timeline.addMember({ block: rows - 10, logIndex: 0, timestamp: newest, grade: 0 }, 0)
  expect(timeline.until(newest)).toEqual({
    members: rows - 9,
    volume: 3n * BigInt(rows - 10),
    rewards: 2n ** 130n * BigInt(rows - 10),
  })
})

test('behavior: blocks not yet committed are not thinned', () => {
  const timeline = new Timeline()
  for (let block = 0; block < 10_000; block++)
    timeline.addMember({ block, logIndex: 0, timestamp: block * 3600, grade: 0 }, -1)
  expect(timeline.length).toBe(10_000)
  timeline.rollback(4)
  expect(timeline.until(10_000 * 3600).members).toBe(5)
})

test('behavior: whether something happened between a block and a time', () => {
  const timeline = new Timeline()
  for (const block of [10, 20]) timeline.addMember({ block, logIndex: 0, timestamp: block * 100, grade: 0 }, -1)
  const between = (block: number, timestamp: number) => [
    timeline.hasEvent({ block }, { timestamp }),
    timeline.hasEvent({ timestamp }, { block }),
  ]
  expect(between(15, 2_000)).toEqual([true, false])
  expect(between(15, 999)).toEqual([false, true])
  expect(between(15, 1_500)).toEqual([false, false])
  expect(between(5, 999)).toEqual([false, false])
})
