import type { EIP1193Provider } from 'viem'
import { bsc } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { toWalletKitError } from '../lib/errors.ts'
import { endSession, startSession } from '../signIn/createSignIn.ts'
import type { Connector, ListedWalletId, WalletOption } from '../wallets/wallet.ts'
import { changeAccount, endSwitch, establish, type Rules, startSwitch } from './connectionTransitions.ts'
import { initialState } from './initialState.ts'
import { type Attempt, toConnection, type WalletKitState } from './state.ts'
import {
  closeDialog,
  endAttempt,
  endConnection,
  failAttempt,
  openDialog,
  openSignIn,
  reportAttempt,
  reportPending,
  showSignIn,
  showWallets,
  startAttempt,
  startReconnect,
} from './transitions.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const other = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const connector: Connector = { kind: 'injected', isReady: () => true, connect: () => Promise.reject(new Error()) }
const provider = {} as EIP1193Provider
const rules: Rules = { chains: [bsc] }
const adapter = {} as NonNullable<Rules['authentication']>['adapter']
const withSignIn: Rules = { ...rules, authentication: { adapter, required: true } }
const account = { address, chainId: 56, transactions: [], hasPendingTransactions: false } as const
const failure = toWalletKitError(new Error('no'))
const rejection = toWalletKitError({ code: 4001 })

const a = 'a' as ListedWalletId
const b = 'b' as ListedWalletId
const attempt = (id: number, change: Partial<Attempt> = {}): Attempt => ({
  id,
  kind: 'connect',
  walletId: a,
  ...change,
})
const connect = (state: WalletKitState, { by = attempt(1), under = rules, session = undefined as never } = {}) =>
  establish(
    startAttempt(state, by),
    { ...account, attempt: by, connector, provider, session, recentWalletIds: [by.walletId], wallets: [] },
    under,
    now,
  )
const inDialog = (id: number): WalletKitState =>
  openDialog(startAttempt(initialState, attempt(id)), {
    name: 'connect',
    step: { name: 'connecting', walletId: a, attempt: id, phase: 'opening' },
    history: [{ name: 'list' }],
  })
const now = 1_700_000_000_000
const session = { address, chainId: 56, expiresAt: now + 1 } as const

describe('attempts', () => {
  test('a later attempt replaces an earlier one, whose end changes nothing', () => {
    const state = startAttempt(startAttempt(initialState, attempt(1)), attempt(2, { walletId: b }))
    expect(state).toMatchObject({ status: 'connecting', walletId: b, attempt: { id: 2 } })
    expect(endAttempt(state, 1)).toBe(state)
    expect(failAttempt(state, 1, failure)).toBe(state)
  })

  test('a rejection does not set the error of the state; a failure does', () => {
    expect(failAttempt(inDialog(1), 1, rejection)).not.toHaveProperty('error')
    expect(failAttempt(inDialog(1), 1, rejection).dialog).toMatchObject({ step: { phase: 'rejected' } })
    expect(failAttempt(inDialog(1), 1, failure)).toMatchObject({ status: 'disconnected', error: failure })
  })

  test('an attempt to connect another wallet does not change the connection, also when it fails', () => {
    const connected = connect(initialState)
    const asking = startAttempt(connected, attempt(2, { walletId: b }))
    expect(asking).toMatchObject({ status: 'connected', walletId: a, attempt: { id: 2 } })
    expect(failAttempt(asking, 2, failure)).toEqual(connected)
  })

  test('a restored connection is shown as it was stored, until the attempt ends', () => {
    const by = attempt(1, { kind: 'reconnect' })
    const state = startReconnect(initialState, by, { walletId: a, address, chainId: 137 }, rules)
    expect(state).toMatchObject({ status: 'reconnecting', address, chainId: 137, isSupportedChain: false })
    expect(toConnection(state)).toBeUndefined()
    expect(endAttempt(state, 1)).toEqual(initialState)
  })

  test('a pending request is an error of the state while connecting, and a phase of the dialog', () => {
    const state = reportPending(inDialog(1), 1, failure)
    expect(state).toMatchObject({ status: 'connecting', error: failure, dialog: { step: { phase: 'alreadyOpen' } } })
    expect(reportPending(state, 2, failure)).toBe(state)
  })

  test('the app connects another wallet: the dialog shows the first attempt as cancelled', () => {
    const state = reportAttempt(inDialog(1), { type: 'cancelled', attempt: 1 })
    expect(state.dialog).toMatchObject({ step: { name: 'connecting', phase: 'cancelled' } })
  })
})

describe('the connection', () => {
  test('connecting closes the dialog and drops the error', () => {
    const failed = failAttempt(inDialog(1), 1, failure)
    expect(connect(failed)).toEqual({
      ...initialState,
      ...account,
      status: 'connected',
      walletId: a,
      connectionId: 1,
      connector,
      provider,
      recentWalletIds: ['a'],
    })
  })

  test('the end of the connection keeps only names and wallets', () => {
    const names = { [address]: { status: 'ready', name: 'alice.bnb' } } as const
    const state = endConnection({ ...connect(initialState), names })
    expect(state).toEqual({ ...initialState, names, recentWalletIds: ['a'] })
  })

  test('the end of the connection does not end an attempt and its dialog', () => {
    const asking = { ...startAttempt(connect(initialState), attempt(2)), dialog: inDialog(2).dialog }
    expect(endConnection(asking)).toMatchObject({
      status: 'connecting',
      attempt: { id: 2 },
      dialog: { name: 'connect' },
    })
  })

  test('another account and chain replace the earlier ones while connected', () => {
    const changed = changeAccount(connect(initialState), { ...account, address: other, chainId: 1 }, rules, now)
    expect(changed).toMatchObject({ address: other, chainId: 1, isSupportedChain: false, status: 'connected' })
    expect(changeAccount(initialState, account, rules, now)).toBe(initialState)
  })
})

describe('sessions', () => {
  test('with required sign-in, connecting opens its dialog', () => {
    const state = connect(initialState, { under: withSignIn })
    expect(state).toMatchObject({
      status: 'unauthenticated',
      dialog: { name: 'signIn' },
      signIn: { name: 'preparing' },
    })
    const signedIn = startSession(state, session, withSignIn, now)
    expect(signedIn).toMatchObject({ status: 'connected', session, dialog: { name: 'none' } })
    expect(signedIn).not.toHaveProperty('signIn')
  })

  test('a restored connection is unauthenticated without a dialog', () => {
    const state = connect(initialState, { by: attempt(1, { kind: 'reconnect' }), under: withSignIn })
    expect(state).toMatchObject({ status: 'unauthenticated', dialog: { name: 'none' } })
  })

  test.each([
    ['expired', { ...session, expiresAt: now }],
    ['of another account', { ...session, address: other } as const],
  ])('a session that is %s is ignored', (_, session) => {
    const state = connect(initialState, { under: withSignIn })
    expect(startSession(state, session, withSignIn, now)).toBe(state)
    expect(connect(initialState, { under: withSignIn, session: session as never })).toEqual(state)
  })

  test('another account drops the session, unless it covers that account too', () => {
    const signedIn = startSession(connect(initialState, { under: withSignIn }), session, withSignIn, now)
    const next = { ...account, address: other } as const
    expect(changeAccount(signedIn, next, withSignIn, now)).not.toHaveProperty('session')
    expect(changeAccount(signedIn, next, withSignIn, now).status).toBe('unauthenticated')
    const covering: Rules = { ...rules, authentication: { adapter, required: true, covers: () => true } }
    expect(changeAccount(signedIn, next, covering, now)).toMatchObject({ status: 'connected', session })
    expect(changeAccount(signedIn, next, covering, session.expiresAt).status).toBe('unauthenticated')
  })

  test('a session that ends closes the dialogs of connected accounts', () => {
    const connected = startSession(connect(initialState, { under: withSignIn }), session, withSignIn, now)
    const open = openDialog(connected, { name: 'account' })
    expect(endSession(open, withSignIn)).toMatchObject({
      status: 'unauthenticated',
      dialog: { name: 'none' },
    })
  })

  test('closing sign-in removes its step; opening shows a step that is under way', () => {
    const open = openSignIn(connect(initialState))
    expect(closeDialog(open)).not.toHaveProperty('signIn')
    const signing = { ...connect(initialState), signIn: { name: 'signing' } } as WalletKitState
    expect(openSignIn(signing).signIn).toEqual({ name: 'signing' })
  })

  test('a step of sign-in belongs to a connected wallet', () => {
    const step = { name: 'idle' } as const
    const state = showSignIn(connect(initialState), step)
    expect(state.signIn).toBe(step)
    expect(showSignIn(state, step)).toBe(state)
    expect(showSignIn(state, undefined)).toEqual(connect(initialState))
    expect(showSignIn(initialState, step)).toBe(initialState)
  })
})

describe('switching chains', () => {
  const network = () => openDialog(connect(initialState), { name: 'network' })

  test('success closes the network dialog, which shows a failure', () => {
    const request = { chainId: 56 }
    const switching = startSwitch(network(), request)
    expect(switching.switching).toBe(request)
    expect(endSwitch(switching, request, 'done')).toMatchObject({ dialog: { name: 'none' } })
    expect(endSwitch(switching, request, failure).dialog).toEqual({ name: 'network', error: failure })
  })

  test('the end of an earlier request changes nothing', () => {
    const earlier = { chainId: 56 }
    const state = startSwitch(startSwitch(network(), earlier), { chainId: 56 })
    expect(endSwitch(state, earlier, failure)).toBe(state)
  })
})

test('an equal list of wallets does not change the state', () => {
  const wallet = { id: 'a', name: 'A', recent: false } as WalletOption
  const state = showWallets(initialState, [wallet])
  expect(state.wallets).toEqual([wallet])
  expect(showWallets(state, [{ ...wallet }])).toBe(state)
  expect(showWallets(state, [{ ...wallet, recent: true }]).wallets).toEqual([{ ...wallet, recent: true }])
  expect(showWallets(state, []).wallets).toEqual([])
})
