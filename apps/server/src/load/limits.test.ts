import { expect, test } from 'vitest'
import { ProblemError } from '../lib/problem.ts'
import { costs, createLimits, defaultLimits, limitsOf } from './limits.ts'

test('behavior: a visitor above a limit is refused with Retry-After, others and other limits are not affected', () => {
  const limits = createLimits({ ...defaultLimits, rpc: { burst: 2, perSecond: 0.5 } })
  limits.require('rpc', 'a', 2)
  expect(() => limits.require('rpc', 'a')).toThrow(
    new ProblemError('rate_limited', 'Too many requests. Try again in 2 s.', { retryAfter: 2 }),
  )
  limits.require('rpc', 'b')
  limits.require('names', 'a')
})

test.each([
  ['one /24 of IPv4', (index: number) => `198.51.100.${index}`, 8],
  ['one /16 of IPv4', (index: number) => `198.51.${index}.1`, 32],
  ['one /48 of IPv6', (index: number) => `2001:db8:1:${index.toString(16)}`, 8],
  ['one /32 of IPv6', (index: number) => `2001:db8:${index.toString(16)}:0`, 32],
])('attack: all visitors of %s have together as much as some', (_, visitorOf, share) => {
  const limits = createLimits({ ...defaultLimits, lookups: { burst: 10, perSecond: 0.001 } })
  let taken = 0
  for (let index = 0; index < 250; index++)
    for (let count = 0; count < 10; count++) if (limits.lookups.take(visitorOf(index), 1) === 0) taken++
  expect(taken).toBe(10 * share)
  expect(limits.lookups.take('203.0.113.7', 10)).toBe(0)
})

test('behavior: a request that one network cannot pay costs the others nothing', () => {
  const limits = createLimits({ ...defaultLimits, lookups: { burst: 10, perSecond: 0.001 } })
  for (let count = 0; count < 1_000; count++) limits.lookups.take('198.51.100.1', 11)
  for (let visitor = 1; visitor <= 8; visitor++) expect(limits.lookups.take(`198.51.100.${visitor}`, 10)).toBe(0)
  expect(limits.quote('198.51.100.9', { limit: 'lookups', cost: 10 }).seconds).toBeGreaterThan(0)
  expect(limits.quote('198.51.101.9', { limit: 'lookups', cost: 10 }).seconds).toBe(0)
})

test('behavior: limits of the settings, with ten seconds of them at once', () => {
  expect(limitsOf({ lookupsPerSecond: 60, rpcPerSecond: 20 })).toEqual(defaultLimits)
  const { lookups, rpc } = limitsOf({ lookupsPerSecond: 7, rpcPerSecond: 9 })
  expect([lookups, rpc]).toEqual([
    { burst: 70, perSecond: 7 },
    { burst: 90, perSecond: 9 },
  ])
})

test.each([
  ['communities', 1],
  ['batch', 20],
  ['referralsCsv', 20],
  ['memberEventsCsv', 20],
  ['membersParquet', 20],
  ['roots', 1],
] as const)('behavior: %s costs %i', (id, cost) => expect(costs.lookup(id)).toBe(cost))

test.each([
  ['referralsCsv', { minTeam: 1 }, 100],
  ['referralsCsv', { minTeam: undefined }, 0],
  ['referralsCsv', {}, 0],
  ['referrals', { minTeam: 1 }, 0],
  ['memberEventsCsv', { kind: 'reward' }, 0],
] as const)('behavior: the filter of %s %j costs %i more', (id, query, cost) =>
  expect(costs.filter({ id, query })).toBe(cost),
)

test.each([
  [0, 0],
  [20, 0],
  [79.9, 59],
])('behavior: %d ms of work cost %i more', (milliseconds, cost) => expect(costs.work(milliseconds)).toBe(cost))

test('behavior: a part of a file costs as much as it took', () => expect(costs.filePart(10)).toBe(0.5))

test('behavior: writing labels costs more than reading them', () => {
  expect([costs.labels(2_000, 'written'), costs.labels(2_000, 'read'), costs.labels(1, 'written')]).toEqual([
    100, 20, 0,
  ])
})

test.each([
  [1_000, 100, 0],
  [1_048_576, 100, 32],
  [100, 1_000, 4],
])('behavior: %i bytes of a node in %i ms cost %i more', (bytes, milliseconds, cost) =>
  expect(costs.rpc({ bytes, milliseconds })).toBe(cost),
)
