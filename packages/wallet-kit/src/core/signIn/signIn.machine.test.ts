import fc from 'fast-check'
import type { Address, EIP1193Provider, Hex } from 'viem'
import { bsc, mainnet } from 'viem/chains'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { announceWallet } from '../../testing/announceWallet.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { toWalletKitError } from '../lib/errors.ts'
import type { Session } from '../state/authentication.ts'
import { injectedConnector } from '../wallets/injected.ts'

const accounts = ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '0x00000000219ab540356cBB839Cbe05303d7705Fa'] as const

/** Waits for everything that does not depend on timers. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A request of the kit to the wallet or the server. */
type Question = { what: 'nonce' | 'signature' | 'verify' | 'signOut'; answer: (how: Answer) => void; settled?: true }
type Answer = 'yes' | 'no' | 'fail' | 'nonsense' | 'other'
type World = ReturnType<typeof createWorld>

function createWorld(required: boolean) {
  const questions: Question[] = []
  const outcomes: { settled: boolean; error?: Error }[] = []
  /** Accounts that were granted a session. */
  const granted: Address[] = []
  const sentNonces: string[] = []
  /** Requests to sign on a chain that the app does not support. */
  const signedElsewhere: unknown[] = []
  let nonces = 0
  let chainId = 56

  const ask = <T>(what: Question['what'], answers: (how: Answer) => T) =>
    new Promise<T>((resolve, reject) => {
      const question: Question = {
        what,
        answer: (how) => {
          question.settled = true
          try {
            resolve(answers(how))
          } catch (thrown) {
            reject(thrown)
          }
        },
      }
      questions.push(question)
    })
  const orFail = <T>(how: Answer, value: T): T => {
    if (how === 'no') throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    if (how === 'fail') throw new Error('It failed.')
    return how === 'nonsense' ? ('nonsense!' as T) : value
  }

  const wallet = createScriptedWallet({ accounts, knownChains: [1, 56, 137] })
  const request = (parameters: { method: string }) => {
    if (parameters.method !== 'personal_sign') return wallet.provider.request(parameters as never)
    if (chainId === 137) signedElsewhere.push(parameters)
    return ask('signature', (how) => orFail<Hex>(how, `0x${'12'.repeat(65)}`))
  }
  const uninstall = announceWallet({
    info: { name: 'A', rdns: 'test.a' },
    provider: { ...wallet.provider, request } as EIP1193Provider,
  })
  const { kit, destroy } = createScriptedKit({
    wallets: [
      {
        groupName: 'Popular',
        wallets: [
          {
            id: 'a',
            name: 'A',
            iconUrl: 'data:image/svg+xml,',
            iconBackground: '#fff',
            rdns: ['test.a'],
            connectors: [injectedConnector()],
          },
        ],
      },
    ],
    chains: [bsc, mainnet],
    authentication: {
      required,
      adapter: {
        getNonce: () => ask('nonce', (how) => orFail(how, `nonce000${++nonces}`)),
        createMessage: ({ nonce, address }) => `${nonce} ${address}`,
        verify: ({ message }) => {
          const [nonce = '', address = ''] = message.split(' ')
          sentNonces.push(nonce)
          return ask('verify', (how) => {
            const session = { address: address as Address, chainId: 56, expiresAt: Date.now() + 3_600_000 }
            const answered = orFail<Session>(how, how === 'other' ? { ...session, address: accounts[1] } : session)
            if (how === 'yes' || how === 'other') granted.push(answered.address)
            return answered
          })
        },
        signOut: () => ask('signOut', (how) => orFail(how, undefined)),
      },
    },
  })
  return {
    kit,
    wallet,
    required,
    questions,
    outcomes,
    granted,
    sentNonces,
    signedElsewhere,
    setChain: (next: number) => {
      chainId = next
      wallet.setChain(next)
    },
    destroy: () => {
      destroy()
      uninstall()
    },
  }
}

type Step = { name: string; run: (world: World) => unknown }

const open = (what?: Question['what']) => (world: World) =>
  world.questions.filter((question) => !question.settled && (!what || question.what === what))

const keep = (world: World, promise: Promise<unknown>) => {
  const outcome: World['outcomes'][number] = { settled: false }
  world.outcomes.push(outcome)
  promise.then(
    () => {
      outcome.settled = true
    },
    (thrown: unknown) => {
      outcome.settled = true
      outcome.error = toWalletKitError(thrown)
    },
  )
}

const wait = (milliseconds: number): Step => ({
  name: `wait ${milliseconds} ms`,
  run: async () => {
    for (let passed = 0; passed < milliseconds; passed += 5_000) {
      vi.advanceTimersByTime(Math.min(5_000, milliseconds))
      await settle()
    }
  },
})

const person: Step[] = [
  { name: 'connect', run: ({ kit }) => void kit.connect({ walletId: 'a' }).catch(() => {}) },
  { name: 'disconnect', run: ({ kit }) => void kit.disconnect() },
  { name: 'open', run: ({ kit }) => void kit.openConnectDialog() },
  { name: 'pick', run: ({ kit }) => kit.dispatch({ type: 'pick', walletId: 'a' }) },
  { name: 'open sign-in', run: (world) => keep(world, world.kit.openSignInDialog()) },
  { name: 'sign', run: (world) => keep(world, world.kit.signIn()) },
  { name: 'sign', run: (world) => keep(world, world.kit.signIn()) },
  { name: 'close', run: ({ kit }) => kit.closeDialog() },
  { name: 'sign out', run: (world) => keep(world, world.kit.signOut()) },
  { name: 'account', run: ({ kit }) => kit.openAccountDialog() },
]
const walletEvents: Step[] = [
  { name: 'account 0', run: ({ wallet }) => wallet.setAccounts([accounts[0], accounts[1]]) },
  { name: 'account 1', run: ({ wallet }) => wallet.setAccounts([accounts[1], accounts[0]]) },
  { name: 'chain 56', run: ({ setChain }) => setChain(56) },
  { name: 'chain 1', run: ({ setChain }) => setChain(1) },
  { name: 'chain 137', run: ({ setChain }) => setChain(137) },
  { name: 'the wallet ends it', run: ({ wallet }) => wallet.disconnect() },
]
const answer = ([index, how]: [number, Answer]): Step => ({
  name: `answer ${index} ${how}`,
  run: (world) => open()(world)[index]?.answer(how),
})

const any = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...person) },
  { weight: 3, arbitrary: fc.constantFrom(...walletEvents) },
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.nat(3), fc.constantFrom<Answer>('yes', 'yes', 'yes', 'no', 'fail', 'nonsense', 'other'))
      .map(answer),
  },
  { weight: 2, arbitrary: fc.constantFrom(wait(1_000), wait(10_000), wait(600_000)) },
)

/** Checks the invariants after each step. */
function verify(world: World): void {
  const { kit, required, granted, sentNonces, signedElsewhere } = world
  const { status, address, chainId, session, dialog, signIn, error, isSupportedChain } = kit.getState()
  const isLive = kit.provider !== undefined

  if (isLive) expect(status).toBe(required && !session ? 'unauthenticated' : 'connected')
  else expect(['disconnected', 'connecting']).toContain(status)
  if (session) expect([session.address, granted.includes(session.address)]).toEqual([address, true])
  if (status === 'unauthenticated') expect(['none', 'signIn']).toContain(dialog.name)
  if (dialog.name === 'signIn') {
    expect(isLive).toBe(true)
    expect(session).toBeUndefined()
    if (signIn?.name !== 'verifying') expect(signIn?.name === 'wrongNetwork').toBe(!isSupportedChain)
    if (signIn?.name === 'signing') expect(open('signature')(world).length).toBeGreaterThan(0)
    if (signIn?.name === 'verifying')
      expect(open('verify')(world).length + open('signOut')(world).length).toBeGreaterThan(0)
    if (signIn && 'error' in signIn && signIn.error) expect(signIn.error.name).toMatch(/^(SignIn|Chain|Wallet)/)
  }
  expect(error?.name).not.toBe('UserRejectedError')
  // No nonce is sent twice, and no message is signed on another chain.
  expect(new Set(sentNonces).size).toBe(sentNonces.length)
  expect(signedElsewhere).toEqual([])
  expect(chainId === undefined).toBe(!isLive)
  expect(unhandled).toEqual([])
}

/** Checks that in any state the person can sign in. */
async function verifyWayOut(world: World): Promise<void> {
  const { kit, wallet, questions } = world
  kit.closeDialog()
  await kit.disconnect()
  await settle()
  // Each call to the server may take ten seconds.
  await wait(600_000).run(world)
  for (const question of questions) if (!question.settled) question.answer('fail')
  await settle()
  for (const { settled } of world.outcomes) expect(settled).toBe(true)
  wallet.setAccounts(accounts)
  world.setChain(56)
  await kit.connect({ walletId: 'a' })
  void kit.openSignInDialog()
  await settle()
  for (const question of open('nonce')(world)) question.answer('yes')
  await settle()
  expect(kit.getState()).toMatchObject({ dialog: { name: 'signIn' }, signIn: { name: 'idle' } })
  const signed = kit.signIn()
  open('signature')(world).at(-1)?.answer('yes')
  await settle()
  open('verify')(world).at(-1)?.answer('yes')
  expect(await signed).toMatchObject({ address: accounts[0] })
  expect(kit.getState()).toMatchObject({ status: 'connected', dialog: { name: 'none' }, session: await signed })
}

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => void unhandled.push(reason)

// Loaded first, so that no import is in progress when a step expects no change.
beforeAll(() => Promise.all([import('../connection/connected.ts'), import('./createSignIn.ts')]))
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  process.on('unhandledRejection', onUnhandled)
})
afterEach(() => {
  vi.useRealTimers()
  process.off('unhandledRejection', onUnhandled)
})

test.each([
  ['required', true],
  ['optional', false],
])(
  'property: %s: any sequence of events leaves sign-in consistent and usable',
  async (_, required) => {
    let played = 0
    const property = fc.asyncProperty(fc.array(any, { maxLength: 50, size: 'max' }), async (steps) => {
      const world = createWorld(required)
      try {
        for (const { run } of steps) {
          played++
          await run(world)
          await settle()
          verify(world)
        }
        await verifyWayOut(world)
      } finally {
        world.destroy()
      }
      expect(world.wallet.listenerCount()).toBe(0)
    })
    await fc.assert(property, { numRuns: 120 })
    expect(played).toBeGreaterThan(2_000)
  },
  120_000,
)
