import type { Metrics } from '@lineage/referral-api'
import { expect, test } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { toExamples } from './ExampleMembers.tsx'

const leadersOf = (indexes: number[]) =>
  indexes.map((index) => ({ address: addressOf(index), directs: 1, team: 1, teamVolume: '1' }))
const examplesOf = (team: number[], directs: number[], volume: number[]) =>
  toExamples({
    leaders: { team: leadersOf(team), directs: leadersOf(directs), volume: leadersOf(volume) },
  } as Metrics).map(({ leader, by }) => [leader.address, by])

test('behavior: each leads in what it is named for', () => {
  expect(examplesOf([1, 2], [2, 1], [3, 1])).toEqual([
    [addressOf(1), ['team']],
    [addressOf(2), ['directs']],
    [addressOf(3), ['volume']],
  ])
})

test('behavior: one who leads twice appears once, and no second one takes its place', () => {
  expect(examplesOf([1, 2], [2, 1], [1, 3])).toEqual([
    [addressOf(1), ['team', 'volume']],
    [addressOf(2), ['directs']],
  ])
  expect(examplesOf([1, 2], [1], [1, 2])).toEqual([[addressOf(1), ['team', 'directs', 'volume']]])
})

test('behavior: without volumes there is no leader by volume', () => {
  expect(examplesOf([1], [1], [])).toEqual([[addressOf(1), ['team', 'directs']]])
  expect(examplesOf([], [], [])).toEqual([])
})
