import { createStore } from 'zustand/vanilla'
import { connect } from './connection/connect.ts'
import { createConnectionListeners } from './connection/connectionListeners.ts'
import { disconnect } from './connection/disconnect.ts'
import { reconnect, restoreInBackground } from './connection/reconnect.ts'
import { joinTabs, parseRecentWallets, runEffects, storeConnection } from './connection/runEffects.ts'
import {
  closeDialog,
  dispatch,
  type OpenConnectParameters,
  openAccountDialog,
  openConnectDialog,
  openNetworkDialog,
  openSignInDialog,
} from './dialogs/dialogs.ts'
import { assertParameters, ConfigurationError, createNotConnectedError } from './lib/errors.ts'
import { createLazy } from './lib/promises.ts'
import { createStorage } from './lib/storage.ts'
import { isRecord } from './lib/untrusted.ts'
import { createClients, type GetClientParameters, resolveTransports } from './provider/clients.ts'
import type { SignIn } from './state/authentication.ts'
import { type Chains, findInitialChain, type ResolvedConfig, type WalletKitConfig } from './state/config.ts'
import { type KitContext, type SettledListener, update } from './state/context.ts'
import { explainConfig } from './state/explainConfig.ts'
import { initialState } from './state/initialState.ts'
import { registerObservers } from './state/observers.ts'
import type { WalletKitState } from './state/state.ts'
import { showRecentWallets, showWallets } from './state/transitions.ts'
import { validateConfig } from './state/validateConfig.ts'
import type { SendCallsParameters } from './transactions/calls.ts'
import { storeSent } from './transactions/recordSent.ts'
import type { WalletKit } from './WalletKit.ts'
import { createWallets } from './wallets/createWallets.ts'

/**
 * Creates a wallet kit. It contacts no server until a person acts, except to restore an earlier connection.
 *
 * @param config - The app's name, its chains and how they are read, its wallets, and options.
 * @throws {ConfigurationError} when the configuration cannot work
 * @example
 * const kit = createWalletKit({
 *   appName: 'My app',
 *   chains: [bsc],
 *   transports: { [bsc.id]: 'https://…' },
 *   wallets: defaultWallets(),
 * })
 * const { address } = await kit.connect({ walletId: 'metaMask' })
 */
export function createWalletKit<const chains extends Chains, const id extends string = string>(
  config: WalletKitConfig<chains, id>,
): WalletKit<chains, id> {
  return createKit(config) as WalletKit<chains, id>
}

function createKit(given: WalletKitConfig): WalletKit {
  try {
    // Bundlers replace this. Without a bundler there is no `process`.
    if (process.env.NODE_ENV !== 'production') explainConfig(given)
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
  }
  validateConfig(given)
  const config = resolveTransports(given)
  const destroyed = new AbortController()
  const context = createContext(config, destroyed.signal)
  const { store, clients, signIn, settled } = context
  showStored(context)
  runEffects(context, () => restoreInBackground(context))
  try {
    if (process.env.NODE_ENV === 'development') advise(context).catch(() => {})
  } catch {}

  const observers = new Set<object>()
  const readChainId = (parameters: GetClientParameters = {}) => {
    assertParameters(parameters, 'chainId')
    const { chainId: current, isSupportedChain } = store.getState()
    const { chainId = current && isSupportedChain ? current : findInitialChain(config).id } = parameters
    return chainId
  }
  const whileConnected = () => {
    if (!context.connected.current) throw createNotConnectedError()
    return context.connected.current
  }
  const kit: WalletKit = {
    config,
    getState: store.getState,
    subscribe: (listener) => {
      const unsubscribe = store.subscribe(listener)
      observers.add(unsubscribe)
      return () => {
        observers.delete(unsubscribe)
        unsubscribe()
      }
    },
    get provider() {
      return store.getState().provider
    },
    connect: (parameters) => connect(context, parameters),
    disconnect: (parameters) => disconnect(context, parameters),
    ...createConnectionListeners(context),
    reconnect: () => reconnect(context),
    switchChain: async (parameters) => whileConnected().switchChain(context, parameters),
    signIn: () => signIn.current?.sign() ?? signIn.load().then(({ sign }) => sign()),
    signOut: () => signIn.load().then(({ signOut }) => signOut()),
    addTransaction: (parameters) => storeSent(context, parameters, (list) => list.addTransaction(parameters)),
    addCalls: (parameters) => storeSent(context, parameters, (list) => list.addCalls(parameters)),
    sendCalls: async (parameters) =>
      (await loadCalls()).sendCalls(context, parameters as unknown as SendCallsParameters),
    getCapabilities: async (parameters) => (await loadCalls()).getCapabilities(context, parameters),
    // In a microtask, so that a listener that throws does not stop the others.
    onTransactionSettled: (listener) => settled.subscribe((last) => last && queueMicrotask(() => listener(...last))),
    clearTransactions: () => context.connected.current?.transactions.clear(),
    lookUpName: async (parameters) => (await context.names.load()).lookUpName(parameters),
    lookUpNames: async (parameters) => (await context.names.load()).lookUpNames(parameters),
    lookUpAddress: async (parameters) => (await context.names.load()).lookUpAddress(parameters),
    getClient: (parameters) => clients.getClient(readChainId(parameters)),
    getPublicClient: async (parameters) => clients.getPublicClient(readChainId(parameters)),
    getWalletClient: async () => whileConnected().getWalletClient(context),
    openConnectDialog: (parameters?: OpenConnectParameters) => openConnectDialog(context, parameters),
    openAccountDialog: () => openAccountDialog(context),
    openNetworkDialog: () => openNetworkDialog(context),
    openSignInDialog: () => openSignInDialog(context),
    closeDialog: () => closeDialog(context),
    dispatch: (event) => dispatch(context, event),
    destroy: () => destroyed.abort(),
  }
  registerObservers(kit, observers)
  return kit
}

async function advise({ config, wallets }: KitContext): Promise<void> {
  if (typeof document === 'undefined') return
  const module = await import('./wallets/adviseDeveloper.ts')
  module.adviseDeveloper(config, groupsOf(config), wallets)
}

const groupsOf = ({ wallets }: WalletKitConfig) => (wallets === 'announced' ? [] : wallets)

const loadCalls = () => import('./transactions/calls.ts')

/** Creates the services of a kit. */
function createContext(config: ResolvedConfig, signal: AbortSignal): KitContext {
  const store = createStore<WalletKitState>(() => initialState)
  const storage = createStorage(config.storage, config.id)
  const clients = createClients(config)
  const wallets = createWallets({
    groups: groupsOf(config),
    chainIds: config.chains.map(({ id }) => id) as [number, ...number[]],
    config,
    read: async (chainId, request) => clients.getClient(chainId).request(request as never),
    storage,
    signal,
    onChange: () => {
      listWallets(context)
      storeConnection(context)
    },
  })
  const tabs = joinTabs(config, signal, () => context, restoreInBackground)
  let lastAttemptId = 0
  const context: KitContext = {
    ...{ config, store, storage, wallets, clients, tabs, signal },
    settled: createStore<Parameters<SettledListener> | undefined>(() => undefined),
    createAttemptId: () => ++lastAttemptId,
    connected: createLazy(() => loadConnected(context)),
    chainRequest: createLazy(() => import('./connection/requestChain.ts')),
    signIn: createLazy(() => loadSignIn(context)),
    names: createLazy(() => import('./names/lookUpName.ts').then((names) => names.createNameLookup(context))),
  }
  return context
}

/** Loads the code of a connected wallet, and creates its service of transactions. */
async function loadConnected(context: KitContext) {
  const connected = await import('./connection/connected.ts')
  return { ...connected, transactions: connected.createTransactions(context) }
}

async function loadSignIn(context: KitContext): Promise<SignIn> {
  const { authentication } = context.config
  if (!authentication) throw new ConfigurationError('No authentication was provided')
  const signIn = await import('./signIn/createSignIn.ts')
  return signIn.createSignIn(context, authentication)
}

/** Shows the wallets of this page, and the recent wallets and names that earlier pages stored. */
function showStored(context: KitContext): void {
  const { config, storage } = context
  update(context, (state) => showRecentWallets(state, storage.read('recentWallets', parseRecentWallets) ?? []))
  listWallets(context)
  // Shows cached names during reconnect. Without any, the code of names is not loaded yet.
  if (config.names && storage.read('names', isRecord)) context.names.load().catch(() => {})
}

function listWallets(context: KitContext): void {
  update(context, (state) => showWallets(state, context.wallets.list(state.recentWalletIds)))
}
