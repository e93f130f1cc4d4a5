import type { ReaderReport, SourceRow } from '@lineage/database'
import { status as statusSchema } from '@lineage/referral-api/schemas'
import { beforeEach, expect, test } from 'vitest'
import type { Followed, Report } from './createFollower.ts'
import { createSourceForest } from './createSourceForest.ts'
import { createStatus } from './createStatus.ts'
import { createCommunities, goodReport } from './test/tables.ts'

const good: ReaderReport = { ...goodReport, headBlock: 110 }
const row = { start_block: 10, block: 60, state: 'live', checked: true, withheld: null, replaced: null } as SourceRow
const asOf = { block: 60, timestamp: 1_000, finalizedBlock: 30 }

let followed: Followed[]
let reports: Report[]
let time: number
beforeEach(() => {
  followed = createCommunities('one', 'two').map((community) => ({
    community,
    identity: community.id,
    row,
    read: row,
    set: createSourceForest(community),
    view: { asOf } as Followed['view'],
    loading: 'done',
    times: [],
  }))
  reports = [{ report: good, age: 1 }]
  time = 1_010
})

/** Stores what a reader has found in a community. */
function find(id: string, found: Partial<SourceRow>): void {
  const one = followed.find(({ community }) => community.id === id)
  if (one) one.row = { ...row, ...found }
}

const create = () =>
  createStatus({ follower: { followed, reports: () => reports, fault: () => undefined }, maxAge: 60, now: () => time })
const codesOf = (state: ReturnType<typeof create>) => (state.status().reasons ?? []).map(({ code }) => code)

test('behavior: ready, with the oldest moment of the communities', () => {
  if (followed[1]) followed[1].view = { asOf: { ...asOf, block: 59 } } as Followed['view']
  const status = create().status()
  expect(statusSchema.parse(status)).toEqual(status)
  expect(status).toMatchObject({ state: 'ready', progress: null, asOf: { block: 59 }, headBlock: 110, reasons: [] })
})

test.each([
  ['nothing is known', undefined, null, 'starting', { phase: 'starting', done: 0, total: 0 }],
  [
    'a reader starts',
    undefined,
    { phase: 'chain', done: 1, total: 2 },
    'indexing',
    { phase: 'chain', done: 1, total: 2 },
  ],
  [
    'events are read from the chain',
    { ...row, state: 'backfill' },
    { phase: 'indexing', done: 50, total: 100 },
    'indexing',
    { phase: 'indexing', done: 50, total: 100 },
  ],
  ['tables are loaded', row, null, 'indexing', { phase: 'loading', done: 0, total: 100 }],
] as const)('behavior: while %s', (_, own, progress, state, expected) => {
  for (const one of followed) Object.assign(one, { view: undefined, row: own })
  reports = [{ report: { ...good, progress }, age: 1 }]
  expect(create().status()).toMatchObject({ state, asOf: null, progress: expected, reasons: [{ code: 'indexing' }] })
})

test('behavior: a community that is read later does not stop the others', () => {
  if (followed[1]) followed[1].view = undefined
  const state = create()
  expect([state.status().state, codesOf(state)]).toEqual(['ready', ['community_withheld']])
  expect([state.withheld('one'), state.withheld('two')]).toEqual([undefined, undefined])
})

test('error: a community is withheld, and warnings about others are left out', () => {
  const warning = { kind: 'events_absent', node: null, message: 'No events.' } as const
  const warnings = ['one', 'two', 'three'].map((community) => ({ ...warning, community }))
  const swapped = { ...warning, kind: 'arguments_swapped', community: 'one' } as const
  reports = [{ report: { ...good, warnings: [...warnings, swapped] }, age: 1 }]
  find('one', { withheld: 'Swapped.' })
  const state = create()
  expect([state.withheld('one'), state.withheld('two')]).toEqual(['Swapped.', undefined])
  const refusals = ['one', 'two'].map(state.refusal)
  expect(refusals).toEqual([{ message: 'Swapped.', reason: 'arguments_swapped' }, undefined])
  const told = [{ community: 'one' }, { community: 'two' }, { kind: 'arguments_swapped' }]
  expect(state.status()).toMatchObject({ state: 'ready', warnings: told })
})

test('error: another chain stops all answers', () => {
  find('one', { replaced: 'Another chain.' })
  const state = create()
  expect(state.withheld('two')).toBe('Another chain.')
  expect([state.status().state, state.status().note, codesOf(state)]).toEqual([
    'indexing',
    'Another chain.',
    ['chain_replaced'],
  ])
})

test('error: a reader that starts and has found nothing yet clears nothing', () => {
  reports = [{ report: { ...good, chain: 'unchecked', members: 'unchecked' }, age: 1 }]
  find('one', { withheld: 'Swapped.' })
  const state = create()
  expect([state.withheld('one'), state.withheld('two'), state.status().state]).toEqual(['Swapped.', undefined, 'ready'])
  expect(state.refusal('one')).toEqual({ message: 'Swapped.', reason: null })
  find('two', { replaced: 'Another chain.' })
  expect([state.withheld('one'), state.status().state]).toEqual(['Another chain.', 'indexing'])
  expect(state.refusal('one')).toBeUndefined()
})

test('behavior: a community is answered after its own first check', () => {
  find('one', { checked: false })
  find('two', { checked: false })
  const state = create()
  expect([state.withheld('one'), state.status().state]).toEqual([expect.stringContaining('checked'), 'indexing'])
  find('one', { checked: true })
  if (followed[1]) followed[1].view = { asOf: { ...asOf, block: 59 } } as Followed['view']
  expect([state.withheld('one'), state.withheld('two')]).toEqual([undefined, expect.stringContaining('checked')])
  expect(state.status()).toMatchObject({ state: 'ready', asOf: { block: 60 } })
  expect(codesOf(state)).toEqual(['community_withheld'])
})

test('error: a silent reader is a reason and a warning, but answers go on', () => {
  reports = [{ report: good, age: 10.5 }]
  const state = create()
  expect(state.status()).toMatchObject({
    state: 'ready',
    reasons: [{ code: 'reader_silent' }],
    warnings: [{ kind: 'reader_silent' }],
  })
})

test('error: an old block, and one that stands still', () => {
  const state = create()
  expect(codesOf(state)).toEqual([])
  time = 1_080
  expect(codesOf(state)).toEqual(['stale', 'index_stuck'])
})
