import type { Community } from '@lineage/communities'
import { getAddress, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { createFinding, type Finding, isBlocking, noteComparison, toSpotCheck, toWarnings } from './finding.ts'

const community = {
  ...{ id: 'demo', binds: [{ member: 'user', referrer: 'by' }], parents: [], rebind: 'first' },
} as unknown as Community
const viewed = { ...community, parents: [{ kind: 'view' }] } as unknown as Community
const addressOf = (index: number) => numberToHex(index + 0xabcdef, { size: 20 })
const differs = { outcome: 'differs', referrer: addressOf(1), onChain: addressOf(2) } as const

test('behavior: a community without findings has no warning', () => {
  expect(toWarnings(community, createFinding(), 0)).toEqual([])
  expect(toSpotCheck('demo', createFinding())).toEqual({
    community: 'demo',
    checked: 0,
    unreadable: 0,
    differing: 0,
    example: null,
  })
})

test('behavior: a member who differs is an example until a later check agrees', () => {
  const finding = { ...createFinding(), checked: 3 }
  noteComparison(finding, addressOf(3), differs)
  const [warning] = toWarnings(community, finding, 5)
  expect(warning).toMatchObject({ kind: 'referrers_differ', community: 'demo', node: null })
  expect(warning?.message).toBe(
    `Community "demo": the contract returns another referrer than the events for 1 of 4 checked members, such as ${getAddress(addressOf(3))}: ${getAddress(addressOf(2))} instead of ${getAddress(addressOf(1))}. Does the contract move members (rebind: "last")?`,
  )
  noteComparison(finding, addressOf(3), { outcome: 'unreadable' })
  expect(finding.differing.size).toBe(1)
  noteComparison(finding, addressOf(3), { outcome: 'agrees', referrer: addressOf(1) })
  expect(toWarnings(community, finding, 5)).toEqual([])
})

test('behavior: a member who moved in a contract that is asked leads to the setting that asks again', () => {
  const asked = { ...community, binds: [], asked: { candidates: [], files: [], calls: [], changes: 'once' as const } }
  const finding = { ...createFinding(), checked: 3 }
  noteComparison(finding, addressOf(3), differs)
  expect(toWarnings(asked, finding, 5)[0]?.message).toBe(
    `Community "demo": the contract returns another referrer than before for 1 of 4 checked members, such as ${getAddress(addressOf(3))}: ${getAddress(addressOf(2))} instead of ${getAddress(addressOf(1))}. Does the contract move members (changes: "any")?`,
  )
})

test('behavior: fifty members who differ are remembered', () => {
  const finding = createFinding()
  for (let index = 0; index < 60; index++) noteComparison(finding, addressOf(index), differs)
  expect(finding.differing.size).toBe(50)
})

test('behavior: swapped arguments are the gravest fault, and block the community', () => {
  const fault = { kind: 'events_absent', message: 'None.' } as const
  const finding = { ...createFinding(), fault }
  noteComparison(finding, addressOf(3), differs)
  const warnings = [...toWarnings(community, finding, 0), ...toWarnings(community, { ...finding, order: 'swapped' }, 5)]
  expect(warnings.map((warning) => [warning.kind, isBlocking(warning)])).toEqual([
    ['events_absent', false],
    ['arguments_swapped', true],
  ])
})

test('behavior: no warning about the order before the first check of the view', () => {
  const finding = createFinding()
  expect(toWarnings(viewed, finding, 5)).toEqual([])
  noteComparison(finding, addressOf(3), { outcome: 'agrees', referrer: addressOf(1) })
  expect(finding.order).toBe('confirmed')
})

test('behavior: checks that returned nothing, and an order that nothing confirms, are reported until one agrees', () => {
  const finding = { ...createFinding(), order: 'unconfirmed' as Finding['order'], last: { checked: 0, unreadable: 13 } }
  const kinds = () => toWarnings(viewed, finding, 5).map(({ kind }) => kind)
  expect(toWarnings(viewed, finding, 5)[0]?.message).toContain('nothing for 13 of 13 members')
  expect(kinds()).toEqual(['parent_view_unreadable', 'order_unconfirmed'])
  // Some views return nothing for a root.
  noteComparison(finding, addressOf(3), { outcome: 'agrees', referrer: null })
  expect(kinds()).toContain('order_unconfirmed')
  noteComparison(finding, addressOf(3), { outcome: 'agrees', referrer: addressOf(1) })
  finding.last = { checked: 4, unreadable: 0 }
  expect(kinds()).toEqual([])
  expect(toWarnings(community, createFinding(), 5)).toMatchObject([
    { kind: 'order_unconfirmed', message: expect.stringContaining('there is no "parent"') },
  ])
})

const shares = { pairs: 4_313, members: 4_200, referrers: 2_037, unbound: 40 }
const strangers = { checked: 6, bound: 5 }
test.each<[title: string, finding: Partial<Finding>, rebind: 'first' | 'last', kinds: string[], words: string]>([
  ['binds in the right order', { shares }, 'first', [], ''],
  [
    'each referrer has many binds: the order is swapped',
    { shares: { ...shares, members: 2_037, referrers: 4_200 } },
    'first',
    ['binds_contradict'],
    '2276 of the first 4313 binds',
  ],
  ['an event for each level', { shares: { ...shares, pairs: 1_451, members: 340, referrers: 300 } }, 'first', [], ''],
  ['members who move', { shares: { ...shares, members: 2_037, referrers: 2_000 } }, 'last', [], ''],
  [
    'swapped, and members who move',
    { shares: { ...shares, members: 2_037, referrers: 4_200 } },
    'last',
    ['binds_contradict'],
    'swapped',
  ],
  ['too few binds to tell', { shares: { pairs: 7, members: 2, referrers: 7, unbound: 1 } }, 'first', [], ''],
  [
    'refused binds with an event, of members whose first bind the contract confirms',
    { shares: { ...shares, members: 2_037, referrers: 4_200 }, order: 'confirmed' },
    'first',
    [],
    '',
  ],
  [
    'a late start that the contract shows',
    { shares, strangers, deployed: 7 },
    'first',
    ['start_late'],
    'set startBlock to 7',
  ],
  [
    'a late start without old states',
    { shares, strangers, deployed: 'unknown' },
    'first',
    ['start_late'],
    'block explorer',
  ],
  [
    'a late start without a view',
    { shares: { ...shares, unbound: 1_500 }, deployed: 7 },
    'first',
    ['start_late'],
    '1500 of 2037 referrers have no bind',
  ],
  [
    'referrers who never bind, of a contract read from its first block',
    { shares: { ...shares, unbound: 1_500 } },
    'first',
    [],
    '',
  ],
  [
    'referrers who never bind, and the contract agrees',
    { shares: { ...shares, unbound: 1_500 }, strangers: { checked: 6, bound: 0 }, deployed: 7 },
    'first',
    [],
    '',
  ],
])('error: %s', (_, found, rebind, kinds, words) => {
  const warnings = toWarnings({ ...viewed, startBlock: 9, rebind }, { ...createFinding(), ...found }, 5)
  expect(warnings.filter(isBlocking).map(({ kind }) => kind)).toEqual(kinds)
  expect(warnings[0]?.message ?? '').toContain(words)
})

test.each([
  [1, 3, 'referrers_differ'],
  [2, 4, 'referrers_mostly_differ'],
  [5, 22, 'referrers_differ'],
  [6, 22, 'referrers_mostly_differ'],
  [6, 7, 'referrers_mostly_differ'],
])('error: %i of %i members differ: %s', (differing, checked, kind) => {
  const finding = createFinding()
  for (let index = 0; index < checked; index++)
    noteComparison(finding, addressOf(index), index < differing ? differs : { outcome: 'agrees', referrer: null })
  // Checked again: counts once.
  for (let index = 0; index < differing; index++) noteComparison(finding, addressOf(index), differs)
  const [warning] = toWarnings(viewed, finding, 5)
  expect(warning).toMatchObject({ kind, message: expect.stringContaining(`${differing} of ${checked} checked`) })
})
