// @vitest-environment node

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toWalletKitError } from '../lib/errors.ts'
import type { AttemptEvent, ConnectFlow } from '../state/state.ts'
import { findAttempt } from '../state/transitions.ts'
import { printSteps } from './printSteps.ts'
import { type ConnectEvent, initialFlow, reduceConnect, type StepWallet, steps } from './steps.ts'

const wallets: Record<string, StepWallet> = {
  installed: { ready: true, downloadUrls: { chrome: 'https://a.example', ios: 'https://b.example' } },
  both: { ready: false, downloadUrls: { chrome: 'https://a.example', ios: 'https://b.example' } },
  mobile: { ready: false, downloadUrls: { android: 'https://b.example' } },
  desktop: { ready: false, downloadUrls: { macos: 'https://c.example' } },
  extension: { ready: false, downloadUrls: { firefox: 'https://a.example' } },
  unsupported: { ready: false, downloadUrls: {} },
}
const wallet = (walletId: string) => wallets[walletId]

/** Applies events like the kit, each with a new attempt id. */
function play(events: readonly (ConnectEvent | AttemptEvent)[], from: ConnectFlow = initialFlow): ConnectFlow {
  let attempt = 0
  return events.reduce((flow, event) => {
    const next = reduceConnect(flow, event, { wallet, attempt: attempt + 1 })
    if (findAttempt(next)?.attempt === attempt + 1) attempt++
    return next
  }, from)
}

const walletId = fc.constantFrom(...Object.keys(wallets), 'unknown')
const personEvent: fc.Arbitrary<ConnectEvent> = fc.oneof(
  fc.record({ type: fc.constantFrom('pick', 'choose'), walletId }),
  fc.record({
    type: fc.constantFrom('learn', 'get', 'mobile', 'extension', 'desktop', 'continue', 'connect', 'retry', 'back'),
  }),
)
const attemptEvent: fc.Arbitrary<AttemptEvent> = fc.oneof(
  fc.record({ type: fc.constant('uri'), attempt: fc.integer({ min: 0, max: 40 }), uri: fc.string() }),
  fc.record({
    type: fc.constantFrom('rejected', 'cancelled', 'alreadyOpen'),
    attempt: fc.integer({ min: 0, max: 40 }),
  }),
  fc.record({
    type: fc.constant('failed'),
    attempt: fc.integer({ min: 0, max: 40 }),
    error: fc.constant(toWalletKitError(new Error('no'))),
  }),
)
const anyEvents = fc.array(fc.oneof({ weight: 3, arbitrary: personEvent }, attemptEvent), { maxLength: 40 })

test.each([
  ['an installed wallet connects at once', 'pick', 'installed', 'connecting'],
  ['not installed: how to download it', 'pick', 'both', 'downloadOptions'],
  ['only for phones: its download', 'pick', 'mobile', 'download'],
  ['only for computers: how to install it', 'pick', 'desktop', 'desktopInstructions'],
  ['only an extension: how to install it', 'pick', 'extension', 'extensionInstructions'],
  ['nothing to install: stays in the list', 'pick', 'unsupported', 'list'],
  ['an unknown wallet: stays in the list', 'pick', 'unknown', 'list'],
] as const)('behavior: %s', (_, type, walletId, expected) => {
  expect(play([{ type, walletId }]).step.name).toBe(expected)
})

test('behavior: from Get to the QR code of a download, and back through the same steps', () => {
  const way = play([
    { type: 'learn' },
    { type: 'get' },
    { type: 'choose', walletId: 'both' },
    { type: 'mobile' },
    { type: 'continue' },
  ])
  expect([...way.history, way.step].map(({ name }) => name)).toEqual([
    'list',
    'learn',
    'get',
    'downloadOptions',
    'download',
    'mobileInstructions',
  ])
  expect(play([{ type: 'back' }], way).step.name).toBe('download')
})

test('behavior: picking B cancels A, and Back leads to the list', () => {
  const flow = play([{ type: 'pick', walletId: 'installed' }, { type: 'get' }, { type: 'pick', walletId: 'installed' }])
  expect(findAttempt(flow)?.attempt).toBe(2)
  expect(flow.history).toEqual([{ name: 'list' }])
})

test('behavior: a second tap on a connecting wallet does not send another request', () => {
  const asked = play([{ type: 'pick', walletId: 'installed' }])
  expect(reduceConnect(asked, { type: 'pick', walletId: 'installed' }, { wallet, attempt: 2 })).toBe(asked)
})

test('behavior: a rejected wallet can be picked again', () => {
  const flow = play([
    { type: 'pick', walletId: 'installed' },
    { type: 'rejected', attempt: 1 },
    { type: 'pick', walletId: 'installed' },
  ])
  expect(flow.step).toMatchObject({ name: 'connecting', attempt: 2, phase: 'opening' })
})

test('behavior: an answer during install instructions is shown after Back', () => {
  const error = toWalletKitError(new Error('no'))
  const flow = play([
    { type: 'pick', walletId: 'installed' },
    { type: 'choose', walletId: 'installed' },
    { type: 'failed', attempt: 1, error },
    { type: 'back' },
  ])
  expect(flow.step).toEqual({ name: 'connecting', walletId: 'installed', attempt: 1, phase: 'failed', error })
})

test('behavior: Retry starts a new attempt in the same step', () => {
  const flow = play([{ type: 'pick', walletId: 'installed' }, { type: 'rejected', attempt: 1 }, { type: 'retry' }])
  expect(flow).toEqual({
    step: { name: 'connecting', walletId: 'installed', attempt: 2, phase: 'opening' },
    history: [{ name: 'list' }],
  })
})

test('property: Back leads to the first step, in as many steps as the history has', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      let flow = play(events)
      for (let left = flow.history.length; left > 0; left--) {
        const from = flow.history.at(-1)
        flow = reduceConnect(flow, { type: 'back' }, { wallet, attempt: 0 })
        expect(flow.step).toBe(from)
      }
      expect(flow.step).toEqual({ name: 'list' })
    }),
  )
})

test('property: from every step a wallet can be connected', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const flow = reduceConnect(play(events), { type: 'pick', walletId: 'installed' }, { wallet, attempt: 1_000 })
      expect(flow.step).toMatchObject({ name: 'connecting', walletId: 'installed' })
    }),
  )
})

test('property: a late answer to a cancelled attempt changes nothing', () => {
  fc.assert(
    fc.property(anyEvents, attemptEvent, (events, late) => {
      const flow = play(events)
      fc.pre(findAttempt(flow)?.attempt !== late.attempt)
      expect(reduceConnect(flow, late, { wallet, attempt: 1_000 })).toBe(flow)
    }),
  )
})

test('property: the flow has at most one attempt', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const { step, history } = play(events)
      expect([...history, step].filter(({ name }) => name === 'connecting').length).toBeLessThanOrEqual(1)
    }),
  )
})

test('the table in the guide is the one of the code', async () => {
  const guide = new URL('../../../../../apps/docs/pages/kit/the-connect-dialog-as-a-table.md', import.meta.url)
  const marks = /(?<=<!-- steps -->\n\n).*(?=\n\n<!-- \/steps -->)/s
  const text = readFileSync(guide, 'utf8')
  expect(text).toMatch(marks)
  // `vitest -u` updates the guide.
  await expect(text.replace(marks, () => printSteps(steps))).toMatchFileSnapshot(fileURLToPath(guide))
})
