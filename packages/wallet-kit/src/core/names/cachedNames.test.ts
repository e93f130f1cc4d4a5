import { expect, test } from 'vitest'
import { initialState } from '../state/initialState.ts'
import { showNames, showStoredNames } from './cachedNames.ts'

const alice = { status: 'ready', name: 'alice.bnb' } as const
const loading = { status: 'loading' } as const

test('a lookup replaces an earlier one of its account only', () => {
  const state = showNames(showNames(initialState, { a: loading, b: loading }), { a: alice })
  expect(state).toEqual({ ...initialState, names: { a: alice, b: loading } })
})

test('stored names replace no lookup', () => {
  const state = showStoredNames(showNames(initialState, { a: loading }), { a: alice, b: alice })
  expect(state.names).toEqual({ a: loading, b: alice })
})
