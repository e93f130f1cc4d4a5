// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCircle, createRevoked, createTrap } from '../../../test/hostileObjects.ts'
import { parseAccounts, parseChainId } from './untrusted.ts'

test('property: a chain id in every form that wallets use', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => {
      for (const form of [id, BigInt(id), String(id), `0x${id.toString(16)}`, `0X${id.toString(16)}`, { chainId: id }])
        expect(parseChainId(form)).toBe(id)
    }),
  )
})

test.each([
  [undefined],
  [null],
  ['loading'],
  ['0x'],
  [''],
  [' '],
  [0],
  [-1],
  [1.5],
  ['1.5'],
  [Number.NaN],
  [[56]],
  [2n ** 64n],
  [true],
  ['5_6'],
  [{}],
  [{ chainId: {} }],
  [{ chainId: { chainId: 56 } }],
  [Symbol('56')],
])('no chain id: %s', (payload) => expect(parseChainId(payload)).toBeUndefined())

test('accounts', () => {
  const account = `0x${'a'.repeat(40)}`
  expect(parseAccounts([account])).toEqual([account])
  expect(parseAccounts([])).toEqual([])
  expect(parseAccounts([null, account])).toEqual([account])
  expect(parseAccounts(['nonsense'])).toBeUndefined()
  expect(parseAccounts(account)).toBeUndefined()
})

test('property: the parsers never throw', () => {
  fc.assert(
    fc.property(fc.anything(), (payload) => {
      const chainId = parseChainId(payload)
      expect(chainId === undefined || Number.isSafeInteger(chainId)).toBe(true)
      parseAccounts(payload)
    }),
  )
})

test.each([
  ['whose getters throw', () => createTrap([])],
  ['that is a revoked proxy', () => createRevoked([])],
  ['that contains itself', () => createCircle('chainId')],
])('behavior: a payload %s', (_, create) => {
  expect(parseChainId(create())).toBeUndefined()
  expect(parseAccounts(create())).toBeUndefined()
})

test('behavior: a list of accounts with an endless length', () => {
  const list: unknown[] = [`0x${'a'.repeat(40)}`]
  list.length = 2 ** 32 - 1
  expect(parseAccounts(list)).toEqual([list[0]])
})
