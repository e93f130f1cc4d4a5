import { type Address, erc20Abi, http, type Transport } from 'viem'
import { base, bsc, mainnet } from 'viem/chains'
import { expect, expectTypeOf, test } from 'vitest'
import { defaultWallets } from '../wallets/defaultWallets.ts'
import { okxWallet } from '../wallets/table.ts'
import { createWalletKit } from './createWalletKit.ts'
import { toWalletKitError, type WalletNotAvailableReason } from './lib/errors.ts'
import type { Session } from './state/authentication.ts'
import type { Connection } from './state/state.ts'
import type { WalletKit } from './WalletKit.ts'
import type { ConnectorFactory, WalletDefinition, WalletOption } from './wallets/wallet.ts'

// Checked by the compiler: a line below `@ts-expect-error` that compiles is an error.

const create = () =>
  createWalletKit({
    appName: 'Test',
    chains: [bsc, mainnet],
    transports: { [bsc.id]: http('http://localhost'), [mainnet.id]: http('http://localhost') },
    wallets: defaultWallets(),
  })

test('chain ids are those of the configuration', async () => {
  const kit = create()
  // @ts-expect-error 5 is not a chain of the app
  await expect(kit.switchChain({ chainId: 5 })).rejects.toThrow()
  // @ts-expect-error 5 is not a chain of the app
  expect(() => kit.getClient({ chainId: 5 })).toThrow()
  // @ts-expect-error 5 is not a chain of the app
  await expect(kit.getCapabilities({ chainId: 5 })).rejects.toThrow()
  await expect(kit.switchChain({ chainId: mainnet.id })).rejects.toThrow('Connect a wallet first.')
  expectTypeOf(kit.getClient({ chainId: 56 }).chain.id).toEqualTypeOf<1 | 56>()
})

test('wallet ids are those of the configuration, and any rdns', async () => {
  const own = { ...okxWallet, id: 'own', connectors: [] } satisfies WalletDefinition<'own'>
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc],
    transports: { [bsc.id]: 'http://localhost' },
    wallets: [...defaultWallets(), { groupName: 'More', wallets: [okxWallet, own] }],
  })
  const connect = (walletId: Parameters<typeof kit.connect>[0]['walletId']) =>
    expect(kit.connect({ walletId })).rejects.toThrow()
  await connect('metaMask')
  await connect('own')
  await connect('example.acme')
  // @ts-expect-error none of the wallets has this id
  await connect('metamask')
  // @ts-expect-error none of the wallets has this id
  void kit.openConnectDialog({ walletId: 'trust' })
  // A press of a button is no set of parameters.
  expectTypeOf(kit.openConnectDialog).toExtend<(event: MouseEvent) => void>()
  expectTypeOf(kit).toExtend<WalletKit>()
  kit.destroy()
})

test('actions accept the wallet ids of the state, and a literal must still be right', async () => {
  const kit = create()
  const connect = (wallet: WalletOption) => kit.connect({ walletId: wallet.id })
  const show = (wallet: WalletOption) => kit.openConnectDialog({ walletId: wallet.id })
  const unsubscribe = kit.subscribe(({ wallets, recentWalletIds, walletId, attempt, dialog }) => {
    for (const { id } of wallets) kit.dispatch({ type: 'pick', walletId: id })
    for (const id of recentWalletIds) void kit.connect({ walletId: id })
    if (walletId) void kit.connect({ walletId })
    if (attempt) void kit.connect({ walletId: attempt.walletId })
    if (dialog.name === 'connect' && dialog.step.name === 'connecting')
      kit.dispatch({ type: 'choose', walletId: dialog.step.walletId })
  })
  unsubscribe()
  kit.onDisconnect(({ walletId }) => void kit.connect({ walletId }))
  const [first] = kit.getState().wallets
  if (!first) throw new Error('The kit lists its wallets.')
  await expect(connect(first)).rejects.toThrow()
  expectTypeOf(show).returns.resolves.toEqualTypeOf<Connection | undefined>()
  // An id of the state is a string, which can be compared with one.
  expect(first.id === 'metaMask').toBe(false)
  expectTypeOf(first.id).toExtend<string>()
  // @ts-expect-error a string from elsewhere has to be looked up in the state
  await expect(kit.connect({ walletId: String('metaMask') })).rejects.toThrow()
  // @ts-expect-error none of the wallets has this id
  await expect(kit.connect({ walletId: 'metamask' })).rejects.toThrow()
  // @ts-expect-error none of the wallets has this id
  kit.dispatch({ type: 'pick', walletId: 'metamask' })
  kit.destroy()
})

test('a transport may be a URL; the kit has a transport for it', () => {
  const transports = { [bsc.id]: 'http://localhost' }
  const kit = createWalletKit({ appName: 'Test', chains: [bsc], transports, wallets: defaultWallets() })
  expectTypeOf(kit.config.transports[56]).toEqualTypeOf<Transport>()
  expect(kit.config.transports[56]).toBeTypeOf('function')
})

test('transports name every chain, and the initial chain is one of them', () => {
  const config = { appName: 'Test', wallets: defaultWallets() }
  const transports = { [bsc.id]: http('http://localhost') }
  // @ts-expect-error there is no transport for chain 1
  expect(() => createWalletKit({ ...config, chains: [bsc, mainnet], transports })).toThrow('No transport')
  // @ts-expect-error chain 1 is not among the chains
  expect(() => createWalletKit({ ...config, chains: [bsc], transports, initialChain: 1 })).toThrow('initial chain')
})

test('a kit of certain chains is assignable to WalletKit', () => {
  expectTypeOf(create()).toExtend<WalletKit>()
  const chains = [bsc, base] as const
  const transports = { [bsc.id]: http('http://localhost'), [base.id]: http('http://localhost') }
  // Base has its own transaction types.
  expectTypeOf(
    createWalletKit({ appName: 'Test', chains, transports, wallets: defaultWallets() }),
  ).toExtend<WalletKit>()
})

test('the state is narrowed by its status', () => {
  const state = create().getState()
  if (state.status === 'connected') {
    expectTypeOf(state.address).toEqualTypeOf<Address>()
    expectTypeOf(state.session).toEqualTypeOf<Session | undefined>()
  } else if (state.status === 'connecting') expectTypeOf(state.attempt.id).toEqualTypeOf<number>()
  else if (state.status === 'disconnected') expectTypeOf(state.address).toEqualTypeOf<undefined>()
})

test('errors are narrowed by their name to their own fields', () => {
  const error = toWalletKitError(new Error('no'))
  if (error.name === 'SignInError')
    expectTypeOf(error.stage).toEqualTypeOf<'preparing' | 'signing' | 'mismatch' | 'verifying' | 'generic'>()
  if (error.name === 'ChainError') expectTypeOf(error.reason).toEqualTypeOf<'unsupported' | 'notApproved' | undefined>()
  if (error.name === 'WalletNotAvailableError') expectTypeOf(error.reason).toEqualTypeOf<WalletNotAvailableReason>()
  // @ts-expect-error an unknown error has no stage
  if (error.name === 'WalletKitError') expect(error.stage).toBeUndefined()
})

test('the wallet client has an account and a chain', () => {
  type Client = Awaited<ReturnType<ReturnType<typeof create>['getWalletClient']>>
  expectTypeOf<Client['account']['address']>().toEqualTypeOf<Address>()
  expectTypeOf<Client['chain']['id']>().toEqualTypeOf<1 | 56>()
})

test('the arguments of a call of a contract are those of its function', async () => {
  const kit = create()
  const to: Address = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
  const abi = erc20Abi
  const right = () => kit.sendCalls({ calls: [{ to, abi, functionName: 'approve', args: [to, 1n] }] })
  await expect(right()).rejects.toThrow('Connect a wallet first.')
  // @ts-expect-error the amount is a bigint
  const wrong = () => kit.sendCalls({ calls: [{ to, abi, functionName: 'approve', args: [to, '1'] }] })
  await expect(wrong()).rejects.toThrow()
})

test('a connector may have a kind of its own', () => {
  const ledger: ConnectorFactory = () => ({
    kind: 'ledger',
    isReady: () => false,
    connect: async () => Promise.reject(new Error('not connected')),
  })
  expectTypeOf(ledger).toExtend<ConnectorFactory>()
})
