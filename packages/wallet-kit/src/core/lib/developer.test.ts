import { expect, test } from 'vitest'
import { findMeant } from './developer.ts'

const known = ['disclaimer', 'initialChain', 'nonce', 'theme', 'locale', 'id', 'kit']

test.each([
  ['disclamer', 'disclaimer'],
  ['initalChain', 'initialChain'],
  ['intialchain', 'initialChain'],
  ['Nonce', 'nonce'],
  ['tehme', 'theme'],
  ['locales', 'locale'],
  ['ID', 'id'],
  ['ki', 'kit'],
])('%s was probably meant to be %s', (name, meant) => {
  expect(findMeant(name, known)).toBe(meant)
})

test.each(['ssr', 'coolMode', 'is', 'chains', 'data-testid', ''])('%j resembles no known name', (name) => {
  expect(findMeant(name, known)).toBeUndefined()
})
