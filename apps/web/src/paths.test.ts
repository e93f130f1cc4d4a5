import { expect, test, vi } from 'vitest'
import { unusedParameters, usedParameters } from './parameters.ts'
import { lookupPath } from './paths.ts'

test('behavior: a link to another lookup keeps the address, not the view', () => {
  const current = new URLSearchParams('address=0xA&level=2&sort=team&community=c&lang=en&asOf=2026-06-01')
  expect(lookupPath('referrers', current)).toBe('/referrers?address=0xA&community=c&lang=en&asOf=2026-06-01')
  expect(lookupPath('community', current, { address: null, community: null, lang: null, asOf: null })).toBe('/')
})

test('behavior: a link keeps its parameters in a browser without `URLSearchParams.size`, as Chrome 112 and Safari 16', () => {
  const size = vi.spyOn(URLSearchParams.prototype, 'size', 'get').mockReturnValue(undefined as never)
  expect(lookupPath('referrers', new URLSearchParams('address=0xA'))).toBe('/referrers?address=0xA')
  size.mockRestore()
})

test('behavior: a link to a lookup that shows periods keeps the days', () => {
  const current = new URLSearchParams('address=0xA&dayFrom=2026-06-01&dayTo=2026-06-30')
  expect(lookupPath('referrals', current)).toBe('/referrals?address=0xA&dayFrom=2026-06-01&dayTo=2026-06-30')
  expect(lookupPath('search', current)).toBe('/search?address=0xA')
})

test('behavior: a link to a view with current data only drops the day', () => {
  const current = new URLSearchParams('address=0xA&asOf=2026-06-01')
  expect(lookupPath('metrics', current)).toBe('/metrics?address=0xA&asOf=2026-06-01')
  expect(lookupPath('metrics', current, { view: 'communities' })).toBe('/metrics?address=0xA&view=communities')
  expect(lookupPath('search', current, { view: 'list' })).toBe('/search?address=0xA&view=list')
})

test.each([
  ['community', 'address=0xA&community=c&lang=en&asOf=9&tz=UTC&dayFrom=2026-06-01&dayTo=2026-06-02&interval=day', []],
  ['community', 'address=0xA&asof=9', ['asof']],
  ['community', 'address=0xA&tz=Asia/Beijing', ['tz']],
  ['metrics', 'view=communities&minTeam=5&minTeam=6', ['minTeam']],
  ['referrals', 'level=2&sort=size&order=desc', ['sort']],
  ['referrals', 'grade=exact,between&prefix=0x12', ['grade']],
  ['community', 'address=0xA&dayFrom=2026-06-01', ['dayFrom']],
  ['metrics', 'dayFrom=2026-06-31&dayTo=2026-06-30', ['dayFrom', 'dayTo']],
  ['metrics', 'view=map&dayFrom=2026-06-01&dayTo=2026-06-30', ['view']],
  ['referrals', 'address=0xA&sort=team&order=asc&dayTo=', ['sort', 'order']],
  ['referrals', `address=0xA&view=map&by=volume&leg=0x${'b'.repeat(40)}`, []],
  ['referrals', 'address=0xA&view=map&leg=0xB', ['leg']],
  ['community', 'address=0xA&dayFrom=2026-06-02&dayTo=2026-06-01', ['dayFrom', 'dayTo']],
  ['referrers', 'view=dispute&dayFrom=2026-06-02&dayTo=2026-06-01', ['dayFrom', 'dayTo']],
  ['referrals', 'address=0xA&view=map&level=1&sort=team&order=asc', ['view']],
  ['referrals', 'address=0xA&level=2&levelFrom=1&levelTo=3', ['levelFrom', 'levelTo']],
  ['referrals', 'address=0xA&level=all&sort=team', ['sort']],
  ['referrals', 'address=0xA&level=all&sort=team&minTeam=1', []],
  ['referrals', 'address=0xA&minTeam=1&levelFrom=2&sort=joined&order=desc', []],
  ['referrals', 'address=0xA&dayFrom=2026-06-01&sort=team', ['sort']],
  ['referrals', 'address=0xA&dayFrom=2026-06-01&sort=periodVolume&order=asc', []],
  ['referrals', 'address=0xA&asOf=9&level=1&sort=volume&order=asc', ['sort', 'order']],
  ['referrals', 'address=0xA&asOf=9&view=map', ['view']],
  ['referrals', 'address=0xA&view=map&minTeam=five&dayFrom=2026-02-30', []],
  ['referrals', 'address=0xA&prefix=0xzz&sort=team', ['sort']],
  ['referrers', 'address=0xA&to=0xB', []],
  ['referrers', 'address=0xA&view=tree', ['view']],
  ['search', 'address=0xA&view=list', ['view']],
  ['search', 'view=list', []],
  ['search', 'address=0xA&kind=', []],
  ['search', 'utm_source=a&fbclid=b&gclid=c&from=groupmessage&isappinstalled=0&scene=1&share_token=d&spm=e', []],
] as const)('behavior: of /%s?%s, %j have no effect', (page, search, unused) => {
  expect(unusedParameters(page, new URLSearchParams(search))).toEqual(unused)
})

test('behavior: a link to a page keeps what the page reads', () => {
  const current = new URLSearchParams('address=0xA&dayFrom=2026-06-01&level=2')
  expect(lookupPath('community', current, usedParameters('community', current))).toBe(
    '/?address=0xA&dayFrom=2026-06-01',
  )
})
