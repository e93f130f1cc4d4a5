import { expect, test } from 'vitest'
import type { WalletOption } from '../wallets/wallet.ts'
import { initialState } from './transitions.ts'
import { showWallets } from './walletTransitions.ts'

test('an equal list of wallets does not change the state', () => {
  const wallet = { id: 'a', name: 'A', recent: false } as WalletOption
  const state = showWallets(initialState, [wallet])
  expect(state.wallets).toEqual([wallet])
  expect(showWallets(state, [{ ...wallet }])).toBe(state)
  expect(showWallets(state, [{ ...wallet, recent: true }]).wallets).toEqual([{ ...wallet, recent: true }])
  expect(showWallets(state, []).wallets).toEqual([])
})
