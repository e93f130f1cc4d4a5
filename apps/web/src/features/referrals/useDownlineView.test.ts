import { expect, test } from 'vitest'
import { toDownlineView } from './useDownlineView.ts'

test.each([
  ['', { kind: 'tree' }],
  ['level=0', { kind: 'tree' }],
  ['level=-1', { kind: 'tree' }],
  ['level=1e3', { kind: 'tree' }],
  ['level=2', { kind: 'table', level: 2, sort: 'joined', order: 'asc' }],
  ['level=2&sort=team', { kind: 'table', level: 2, sort: 'team', order: 'desc' }],
  ['level=2&sort=evil&order=sideways', { kind: 'table', level: 2, sort: 'joined', order: 'asc' }],
  ['level=all&sort=team', { kind: 'table', level: 'all', sort: 'joined', order: 'asc' }],
  ['minTeam=5', { kind: 'table', level: 'all', sort: 'joined', order: 'asc', filter: { minTeam: 5 } }],
  ['minTeam=5&sort=team', { kind: 'table', level: 'all', sort: 'team', order: 'desc', filter: { minTeam: 5 } }],
  ['minVolume=1.5', { kind: 'table', level: 'all', sort: 'joined', order: 'asc', filter: { minVolume: '150' } }],
  ['level=2&levelFrom=3', { kind: 'table', level: 2, sort: 'joined', order: 'asc' }],
  ['minTeam=x', { kind: 'tree' }],
  [
    'dayFrom=2026-06-01&dayTo=2026-06-31',
    { kind: 'table', level: 'all', sort: 'periodVolume', order: 'desc', days: { from: '2026-06-01' } },
  ],
  [
    'level=2&dayTo=2026-06-30&sort=team',
    { kind: 'table', level: 2, sort: 'periodVolume', order: 'desc', days: { to: '2026-06-30' } },
  ],
  [
    'dayTo=2026-06-30&sort=joined',
    { kind: 'table', level: 'all', sort: 'joined', order: 'asc', days: { to: '2026-06-30' } },
  ],
  ['level=2&sort=periodVolume', { kind: 'table', level: 2, sort: 'joined', order: 'asc' }],
])('behavior: the link ?%s', (query, view) => {
  expect(toDownlineView(new URLSearchParams(query), { symbol: 'USDT', decimals: 2 })).toEqual(view)
})
