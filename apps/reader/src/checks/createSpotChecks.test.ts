import type { Address } from 'viem'
import { numberToHex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Source } from '../follow.ts'
import { createSpotChecks, type SpotChecksParameters } from './createSpotChecks.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const addressOf = (index: number): Address => numberToHex(index + 0xabcdef, { size: 20 })
const more = { unbinds: [], volumes: [], rewards: [] }
const community = {
  ...{ id: 'demo', rebind: 'first', startBlock: 1, roots: [], more },
  ...{ binds: [{ event: { name: 'Bound' }, member: 'user', referrer: 'by' }], parents: [{ kind: 'view' }] },
}
const source = { community, row: { id: 1, block: 9, start_block: 1, unreadable: 0 } } as unknown as Source

/** Starts checks of a community without members. `joinAll` binds two to one referrer, who has no bind. `unbound`: others. */
function open(readParent: SpotChecksParameters['readParent'], unbound: Address[] = []) {
  let members: Address[] = []
  const checks = createSpotChecks({
    queries: {
      sampleMembers: async () => members,
      sampleUnbound: async () => (members.length > 0 ? [addressOf(1)] : []),
      sampleOpen: async () => unbound,
      readReferrer: async (_, member) => (members.includes(member) ? addressOf(1) : undefined),
      isInLoop: async () => false,
      readShares: async () => ({ pairs: 2, members: 2, referrers: 1, unbound: 1 }),
      listKinds: async () => (members.length > 0 ? ['bind'] : []),
    },
    readParent: async (...parameters) => (parameters[1] === addressOf(1) ? addressOf(1) : readParent(...parameters)),
    hasCode: async () => true,
    findDeployment: async () => undefined,
    log: () => undefined,
  })
  return {
    ...checks,
    kinds: () => checks.warnings().map(({ kind }) => kind),
    joinAll() {
      members = [addressOf(2), addressOf(3)]
    },
  }
}

test('behavior: no warning about the order before a check has ended or after one that agrees', async () => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<Address>()
  const checks = open(() => {
    asked.resolve()
    return answer.promise
  })
  checks.joinAll()
  expect(checks.kinds()).toEqual([])
  const round = checks.checkNew([source])
  await asked.promise
  expect(checks.kinds()).toEqual([])
  expect(checks.state(source)).toBe('unchecked')
  answer.resolve(addressOf(1))
  await round
  expect(checks.kinds()).toEqual([])
  expect(checks.state(source)).toBe('checked')
})

test('behavior: members who join after the first round are checked before the order is reported', async () => {
  const checks = open(async () => addressOf(1))
  await checks.checkNew([source])
  expect(checks.kinds()).toEqual(['events_absent'])
  checks.joinAll()
  await checks.checkAgain([source])
  expect(checks.kinds()).toEqual([])
})

test('behavior: an order that no check confirms is reported', async () => {
  const checks = open(async () => addressOf(7))
  checks.joinAll()
  await checks.checkNew([source])
  expect(checks.kinds()).toEqual(['referrers_mostly_differ', 'order_unconfirmed'])
})

test('behavior: a referrer without a bind differs if the contract has one', async () => {
  const checks = createSpotChecks({
    queries: {
      sampleMembers: async () => [addressOf(2)],
      sampleUnbound: async () => [addressOf(1)],
      sampleOpen: async () => [],
      readReferrer: async (_, member) => (member === addressOf(2) ? addressOf(1) : undefined),
      isInLoop: async () => false,
      readShares: async () => ({ pairs: 2, members: 2, referrers: 1, unbound: 1 }),
      listKinds: async () => ['bind'],
    },
    readParent: async (_, member) => addressOf(member === addressOf(2) ? 1 : 8),
    hasCode: async () => true,
    findDeployment: async () => undefined,
    log: () => undefined,
  })
  await checks.checkNew([source])
  expect(checks.spotChecks()).toMatchObject([{ checked: 2, differing: 1, example: { referrer: null } }])
})

test('behavior: checks that take too long count as failed', async () => {
  const asked = Promise.withResolvers<void>()
  const checks = open(() => {
    asked.resolve()
    return new Promise(() => undefined)
  })
  checks.joinAll()
  void checks.checkNew([source])
  await asked.promise
  await vi.advanceTimersByTimeAsync(9_000)
  expect(checks.kinds()).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(checks.kinds()).toEqual(['order_unconfirmed'])
})

const everyone = async () => addressOf(1)
const members = async (_: unknown, member: Address) => ([2, 3].map(addressOf).includes(member) ? addressOf(1) : null)

test.each([
  ['for everyone is refused', everyone, {}, ['referrers_mostly_differ']],
  ['for everyone may stand for none', everyone, { roots: [addressOf(1)] }, ['order_unconfirmed']],
  ['for members only is believed', members, {}, []],
])('behavior: a referrer that a contract returns %s', async (_, readParent, changes, kinds) => {
  const checks = open(readParent)
  checks.joinAll()
  await checks.checkNew([
    { ...source, community: { ...source.community, asked: { changes: 'once' }, ...changes } } as Source,
  ])
  expect(checks.kinds()).toEqual(kinds)
})

test.each([
  ['reported', null, ['parent_view_unreadable']],
  ['no fault where it fails for strangers too', undefined, []],
])('behavior: a view that fails for an address without a referrer is %s', async (_, ofStrangers, kinds) => {
  const readParent = async (_: unknown, member: Address) =>
    member === addressOf(4) ? undefined : ((await members(_, member)) ?? ofStrangers)
  const unbound = [addressOf(5), addressOf(4)]
  const asking = {
    ...source,
    community: { ...source.community, asked: { changes: 'once' }, binds: [] },
  } as never
  const checks = open(readParent, unbound)
  checks.joinAll()
  await checks.checkNew([asking])
  expect(checks.kinds()).toEqual(kinds)
  unbound.pop()
  await checks.checkAgain([asking])
  expect(checks.kinds()).toEqual(kinds)
})
