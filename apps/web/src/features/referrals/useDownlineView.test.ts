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
])('behavior: the link ?%s', (query, view) => {
  expect(toDownlineView(new URLSearchParams(query))).toEqual(view)
})
