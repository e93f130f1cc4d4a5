import { createForest } from '@lineage/forest'
import { type Address, numberToHex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Community } from '../../../config/index.ts'
import type { IndexStatus, IndexView } from '../reader/indexState.ts'
import type { ReadReferrer } from './compareReferrer.ts'
import { createSpotChecks } from './createSpotChecks.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const addressOf = (index: number): Address => numberToHex(index + 0xabcdef, { size: 20 })
const members = [addressOf(2), addressOf(3)]
const parentView = { text: 'function referrerOf(address) view returns (address)' }
const more = { binds: [], unbinds: [], volumes: [], rewards: [] }
const community = {
  id: 'demo',
  member: 'user',
  referrer: 'by',
  rebind: 'first',
  startBlock: 1,
  roots: [],
  more,
  parentView,
}

function createPromise<value>() {
  let resolve: (value: value) => void = () => undefined
  const promise = new Promise<value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Starts checks of a community without members. `joinAll` binds some to one referrer. */
function open(readReferrer: ReadReferrer) {
  const forest = createForest()
  const asOf = { block: 9, finalizedBlock: 9, timestamp: 1_700_000_000 }
  const view = { asOf, forests: new Map([['demo', forest]]), version: 1 } as IndexView
  const ready: IndexStatus = { state: 'ready', progress: null, asOf: view.asOf, headBlock: 9, note: null }
  const checks = createSpotChecks({
    communities: [community as unknown as Community],
    index: { view: () => view, status: () => ready },
    queries: { sampleMembers: async () => members, readLogShape: async () => undefined, hasCode: async () => true },
    readReferrer,
    log: () => undefined,
  })
  return {
    ...checks,
    kinds: () => checks.warnings().map(({ kind }) => kind),
    joinAll() {
      members.forEach((member, logIndex) => {
        forest.bind({ block: 2, logIndex, timestamp: 1_700_000_000, member, referrer: addressOf(1) })
      })
    },
  }
}

test('behavior: no warning about the order before a check has ended or after one that agrees', async () => {
  const asked = createPromise<void>()
  const answer = createPromise<Address>()
  const checks = open(() => {
    asked.resolve()
    return answer.promise
  })
  checks.joinAll()
  expect(checks.kinds()).toEqual([])
  const round = checks.run()
  await asked.promise
  expect(checks.kinds()).toEqual([])
  expect(checks.state()).toBe('unchecked')
  answer.resolve(addressOf(1))
  await round
  expect(checks.kinds()).toEqual([])
  expect(checks.state()).toBe('checked')
})

test('behavior: members who join after the first round are checked before the order is reported', async () => {
  const checks = open(async () => addressOf(1))
  await checks.run()
  checks.joinAll()
  expect(checks.kinds()).not.toContain('order_unconfirmed')
  await checks.run()
  expect(checks.kinds()).toEqual([])
})

test('behavior: an order that no check confirms is reported', async () => {
  const checks = open(async () => addressOf(7))
  checks.joinAll()
  await checks.run()
  expect(checks.kinds()).toEqual(['referrers_differ', 'order_unconfirmed'])
})

test('behavior: checks that take too long count as failed', async () => {
  const asked = createPromise<void>()
  const checks = open(() => {
    asked.resolve()
    return new Promise(() => undefined)
  })
  checks.joinAll()
  void checks.run()
  await asked.promise
  await vi.advanceTimersByTimeAsync(9_000)
  expect(checks.kinds()).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(checks.kinds()).toEqual(['order_unconfirmed'])
})
