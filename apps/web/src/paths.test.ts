import { expect, test } from 'vitest'
import { lookupNames, lookupPath } from './paths.ts'

test('behavior: a link to another lookup keeps the address, not the view', () => {
  const current = new URLSearchParams('address=0xA&level=2&sort=team&community=c&lang=en&asOf=2026-06-01')
  expect(lookupPath('referrers', current)).toBe('/referrers?address=0xA&community=c&lang=en&asOf=2026-06-01')
  expect(lookupPath('community', current, { address: null, community: null, lang: null, asOf: null })).toBe('/')
})

test('behavior: a link to a page with current data only drops the day', () => {
  const current = new URLSearchParams('address=0xA&asOf=2026-06-01')
  expect(lookupPath('metrics', current)).toBe('/metrics?address=0xA')
  expect(lookupPath('referrers', current, { view: 'relation' })).toBe('/referrers?address=0xA&view=relation')
})

test('behavior: the five lookups in the order of the bar', () => {
  expect(lookupNames.map((name) => lookupPath(name, new URLSearchParams()))).toEqual([
    '/',
    '/metrics',
    '/search',
    '/referrals',
    '/referrers',
  ])
})
