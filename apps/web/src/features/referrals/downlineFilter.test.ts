import { expect, test } from 'vitest'
import { type FilterTexts, fieldNames, findProblems, readTexts, toFilter } from './downlineFilter.ts'

const token = { symbol: 'USDT', decimals: 18 }
const none = Object.fromEntries(fieldNames.map((name) => [name, ''])) as FilterTexts
const texts = (some: Partial<FilterTexts>): FilterTexts => ({ ...none, ...some })
const today = '2026-11-18'

test.each<[string, Partial<FilterTexts>, object | undefined]>([
  ['none', {}, undefined],
  [
    'days, which the server reads in the zone of the page',
    { joinedFrom: '2026-06-01', joinedTo: '2026-06-01' },
    { joinedFrom: '2026-06-01', joinedTo: '2026-06-01' },
  ],
  ['levels', { levelFrom: '2', levelTo: '5' }, { levelFrom: 2, levelTo: 5 }],
  ['an amount with a fraction', { minVolume: '0.5' }, { minVolume: '500000000000000000' }],
  ['a prefix and bound', { prefix: '0xAb', bound: 'true' }, { prefix: '0xAb', bound: 'true' }],
  [
    'what cannot be read',
    { joinedFrom: '2026-13-01', levelFrom: '0', minTeam: '1e3', minVolume: '-1', bound: 'x' },
    undefined,
  ],
])('behavior: filter of %s', (_, some, filter) => {
  expect(toFilter(texts(some), token)).toEqual(filter)
})

test('behavior: texts of the URL, without others', () => {
  expect(readTexts(new URLSearchParams('minTeam= 5 &level=2&other=1'))).toEqual(texts({ minTeam: '5' }))
})

test.each<[Partial<FilterTexts>, object]>([
  [{ joinedFrom: '2026-06-02', joinedTo: '2026-06-01' }, { joinedTo: 'wrong.days' }],
  [{ joinedFrom: '2026-06-01', joinedTo: '2026-06-01' }, {}],
  [{ joinedFrom: '2027-01-01' }, { joinedFrom: 'wrong.future' }],
  [{ activeSince: '2027-01-01' }, { activeSince: 'wrong.future' }],
  [{ dayFrom: '2026-06-02', dayTo: '2026-06-01' }, { dayTo: 'wrong.order' }],
  [
    { dayFrom: '2026-13-01', dayTo: '2027-01-01' },
    { dayFrom: 'wrong.day', dayTo: 'wrong.future' },
  ],
  [{ levelFrom: '3', levelTo: '2' }, { levelTo: 'wrong.levels' }],
  [{ levelFrom: '0' }, { levelFrom: 'wrong.level' }],
  [{ minTeam: '100' }, { minTeam: 'wrong.team' }],
  [{ minTeam: '99' }, {}],
  [{ minVolume: '1,000' }, { minVolume: 'wrong.amount' }],
  [{ prefix: '0x1' }, { prefix: 'wrong.prefix' }],
])('error: %j', (some, problems) => {
  expect(findProblems(texts(some), { token, team: 100, today })).toEqual(problems)
})
