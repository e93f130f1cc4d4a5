import { expect, test } from 'vitest'
import {
  createLimits,
  defaultLimits,
  filterSurcharge,
  labelsSurcharge,
  limitsOf,
  lookupCost,
  lookupSurcharge,
  rpcSurcharge,
} from './limits.ts'

test('behavior: a visitor above a limit is refused with Retry-After, others and other limits are not affected', async () => {
  const limits = createLimits({ ...defaultLimits, rpc: { burst: 2, perSecond: 0.5 } })
  expect(limits.refuse('rpc', 'a', 2)).toBeUndefined()
  const refusal = limits.refuse('rpc', 'a')
  expect([refusal?.status, refusal?.headers.get('retry-after')]).toEqual([429, '2'])
  expect(await refusal?.json()).toMatchObject({ code: 'rate_limited' })
  expect([limits.refuse('rpc', 'b'), limits.refuse('names', 'a')]).toEqual([undefined, undefined])
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
] as const)('lookupCost: %s costs %i', (id, cost) => expect(lookupCost(id)).toBe(cost))

test.each([
  ['referralsCsv', '/v1/…/referrals.csv?minTeam=1', 100],
  ['referralsCsv', '/v1/…/referrals.csv??&minTeam=1', 100],
  ['referralsCsv', '/v1/…/referrals.csv', 0],
  ['referralsCsv', '/v1/…/referrals.csv?', 0],
  ['referrals', '/v1/…/referrals?minTeam=1', 0],
  ['memberEventsCsv', '/v1/…/events.csv?kind=reward', 0],
] as const)('filterSurcharge: %s, asked for as %s, costs %i more', (id, target, cost) =>
  expect(filterSurcharge(id, target)).toBe(cost),
)

test.each([
  [null, 0],
  ['app;dur=900', 0],
  ['work;dur=20', 0],
  ['work;dur=79.9, app;dur=80.1', 59],
  ['work;dur=.', 0],
])('lookupSurcharge: the Server-Timing %s costs %i more', (header, cost) => expect(lookupSurcharge(header)).toBe(cost))

test('labelsSurcharge: writing costs more than reading', () => {
  expect([labelsSurcharge(2_000, 'written'), labelsSurcharge(2_000, 'read'), labelsSurcharge(1, 'written')]).toEqual([
    100, 20, 0,
  ])
})

test.each([
  [1_000, 100, 0],
  [1_048_576, 100, 32],
  [100, 1_000, 4],
])('rpcSurcharge: %i bytes in %i ms cost %i more', (bytes, milliseconds, cost) =>
  expect(rpcSurcharge({ bytes, milliseconds })).toBe(cost),
)
