import type { Client, EIP1193Provider, PublicClient, WalletClient } from 'viem'
import { createStore } from 'zustand/vanilla'
import type { Session, SignIn } from './authentication.ts'
import { createClients } from './clients.ts'
import type { WalletKitConfig } from './config.ts'
import { type ConnectParameters, cancelAttempt, connect } from './connect.ts'
import { dropConnection, storeConnection } from './connection.ts'
import { abandonAttempt, type KitContext, type SettledListener, settleDialog } from './context.ts'
import { createWallets } from './createWallets.ts'
import {
  closeDialog,
  dispatch,
  openAccountDialog,
  openConnectDialog,
  openNetworkDialog,
  openSignInDialog,
} from './dialogs.ts'
import { type DisconnectParameters, disconnect } from './disconnect.ts'
import { ConfigurationError } from './errors.ts'
import { getWalletClient } from './getWalletClient.ts'
import type { LookUpAddressParameters } from './lookUpAddress.ts'
import type { LookUpNameParameters } from './lookUpName.ts'
import type { LookUpNamesParameters } from './lookUpNames.ts'
import { once } from './once.ts'
import { reconnect } from './reconnect.ts'
import { resumeSession } from './session.ts'
import type { AccountName, Connection, NamedAddress, WalletKitState } from './state.ts'
import type { ConnectEvent } from './steps.ts'
import { createStorage, isRecord, parseRecentWallets } from './storage.ts'
import { type SwitchChainParameters, switchChain } from './switchChain.ts'
import { createTabs } from './tabs.ts'
import {
  type AddTransactionParameters,
  addTransaction,
  clearTransactions,
  showTransactions,
  stopFollowing,
} from './transactions.ts'
import { validateConfig } from './validateConfig.ts'
import type { WalletOption } from './wallet.ts'

/** One set of wallets and one connection. Make it once and share it; two on a page do not mix if each has an `id`. */
export type WalletKit = {
  /** As it was given. */
  config: WalletKitConfig
  getState: () => WalletKitState
  /** The state before anything happened: what a server renders. */
  getInitialState: () => WalletKitState
  subscribe: (listener: (state: WalletKitState, previous: WalletKitState) => void) => () => void
  /** Whether anybody has subscribed. While nobody has, a change is nobody's news: it may be made while a page is being drawn. */
  readonly isObserved: boolean
  /** Of the connected wallet. */
  readonly provider: EIP1193Provider | undefined

  /** Asks a wallet for its accounts. @throws {WalletKitError} */
  connect: (parameters: ConnectParameters) => Promise<Connection>
  /** Forgets the connection here and in every tab, or gives up the try under way. Never rejects. */
  disconnect: (parameters?: DisconnectParameters) => Promise<void>
  /** Restores the last connection without a prompt; `undefined` when there is none. Never rejects. */
  reconnect: () => Promise<Connection | undefined>
  /** @throws {WalletKitError} */
  switchChain: (parameters: SwitchChainParameters) => Promise<void>

  /**
   * Has the connected wallet sign a message, and the server believe it. With the sign-in dialog open the wallet is asked
   * at once, within the tap.
   *
   * @throws {WalletKitError} `UserRejectedError`, `SignInError` with its `stage`, `ChainError` on a chain that is not the
   * app's, `AbortedError` when the account changed or the dialog was closed meanwhile
   * @see https://eips.ethereum.org/EIPS/eip-4361
   */
  signIn: () => Promise<Session>
  /** Ends the session here and in every tab at once. @throws {SignInError} when the server could not be told */
  signOut: () => Promise<void>

  /**
   * Remembers a transaction of this account on this chain and follows it until it is settled, also across reloads.
   *
   * @throws {WalletKitError} "Invalid transaction hash", "Transaction must have a description", "Transaction confirmations
   *   must be an integer of at least 1", or while nothing is connected
   * @example
   * kit.addTransaction({ hash, description: 'Joined under 0x12…cdef', confirmations: 2 })
   */
  addTransaction: (parameters: AddTransactionParameters) => void
  /**
   * Tells of each transaction that is no longer pending: once, in every tab that knew it as pending. What settled while
   * no page was open is told by the next that is connected with this account. Returns the way to stop.
   *
   * @example
   * const stop = kit.onTransactionSettled(({ description, status }) => toast(`${description}: ${status}`))
   */
  onTransactionSettled: (listener: SettledListener) => () => void
  /** Forgets the transactions of this account on this chain. */
  clearTransactions: () => void

  /**
   * What an account is called, by the sources of `names` in the configuration. Asked anew when the last answer is older
   * than 10 minutes; what is known meanwhile is in the state. @throws {WalletKitError}
   */
  lookUpName: (parameters: LookUpNameParameters) => Promise<AccountName>
  /**
   * What many accounts are called, in their order: their .bnb names alone, where `names.bnb` is configured, read on chain in a
   * few multicalls. Also while nothing is connected. Those found are in the state as well.
   *
   * @throws {WalletKitError} `ConfigurationError` without `names.bnb`, or when no node answers
   * @see https://eips.ethereum.org/EIPS/eip-181
   * @example
   * await kit.lookUpNames({ addresses: ['0x…', '0x…'] }) // [{ name: 'alice.bnb' }, {}]
   */
  lookUpNames: (parameters: LookUpNamesParameters) => Promise<AccountName[]>
  /**
   * The account that a name ending in .bnb leads to, where `names.bnb` is configured; `undefined` for any other name, and for
   * one that leads nowhere. Also while nothing is connected. Show the whole address before anything is done with it.
   *
   * @throws {WalletKitError} `ConfigurationError` without `names.bnb`, or when no node answers
   * @see https://eips.ethereum.org/EIPS/eip-137
   * @example
   * await kit.lookUpAddress({ name: 'Alice.bnb' }) // { name: 'alice.bnb', address: '0x…' }
   */
  lookUpAddress: (parameters: LookUpAddressParameters) => Promise<NamedAddress | undefined>

  /** A small client for reading `chainId`. Default: the wallet's chain if supported, else the initial one. */
  getClient: (chainId?: number) => Client
  /** The same with every public action, loaded on demand. */
  getPublicClient: (chainId?: number) => Promise<PublicClient>
  /** For signing with the connected wallet. @throws {WalletKitError} when none is */
  getWalletClient: () => Promise<WalletClient>

  /**
   * Resolves with the connection, or with `undefined` when the person closes the dialog. Where signing in is required, it
   * follows, and comes first while only it is missing.
   */
  openConnectDialog: () => Promise<Connection | undefined>
  /** Does nothing while not connected. */
  openAccountDialog: () => void
  /** Does nothing while not connected. */
  openNetworkDialog: () => void
  /** Resolves with the session, or with `undefined` when the person closes the dialog. Does nothing while not connected. */
  openSignInDialog: () => Promise<Session | undefined>
  /**
   * Closes whichever dialog is open; closing while a wallet is being asked gives up that try, and closing sign-in where it
   * is required disconnects.
   */
  closeDialog: () => void
  /** What the person did in the connect dialog. Does nothing while it is closed. */
  dispatch: (event: ConnectEvent) => void

  /** Removes every listener and timer the kit made. */
  destroy: () => void
}

/**
 * Makes a wallet kit. Its argument is the whole of its configuration; nothing is requested before a person acts.
 *
 * @throws {ConfigurationError} when the configuration cannot work
 * @example
 * const kit = createWalletKit({
 *   appName: 'My app',
 *   chains: [bsc],
 *   transports: { [bsc.id]: http('https://…') },
 *   wallets: defaultWallets(),
 * })
 * const { address } = await kit.connect({ walletId: 'metaMask' })
 */
export function createWalletKit(config: WalletKitConfig): WalletKit {
  validateConfig(config)
  const { chains, initialChain = chains[0] } = config
  const initialChainId = typeof initialChain === 'object' ? initialChain.id : initialChain
  const store = createStore<WalletKitState>(() => ({
    status: 'disconnected',
    isSupportedChain: true,
    wallets: [],
    recentWalletIds: [],
    dialog: { name: 'none' },
    transactions: [],
    hasPendingTransactions: false,
    names: {},
  }))
  const storage = createStorage(config.storage, config.id)
  const clients = createClients(config)
  const destroyed = new AbortController()
  const wallets = createWallets({
    groups: config.wallets,
    chainIds: [chains[0].id, ...chains.slice(1).map(({ id }) => id)],
    config,
    read: async (chainId, request) => clients.getClient(chainId).request(request as never),
    storage,
    signal: destroyed.signal,
    onChange: () => {
      showWallets()
      storeConnection(context)
    },
  })
  // A storage of the app's own is not known to be shared between tabs.
  const tabs =
    typeof window === 'undefined' || config.storage
      ? undefined
      : createTabs(
          {
            disconnected: () => {
              if (context.attempt?.kind === 'reconnect') cancelAttempt(context)
              context.signIn?.forget()
              if (context.live) dropConnection(context)
            },
            signedIn: () => context.live && resumeSession(context),
            signedOut: () => context.signIn?.forget(),
            transactions: () => showTransactions(context),
          },
          config.id,
        )
  const context: KitContext = {
    config,
    store,
    storage,
    wallets,
    clients,
    tabs,
    signal: destroyed.signal,
    lastAttempt: 0,
    followed: new Map(),
    settledListeners: new Set(),
    lookups: new Map(),
    loadChecksum: once(() => import('./checksum.ts')),
    loadAskForChain: once(() => import('./askForChain.ts')),
    loadSignIn: once(() => loadSignIn(context)),
  }

  const showWallets = () => {
    const { recentWalletIds, wallets: shown } = store.getState()
    const list = wallets.list(recentWalletIds)
    if (!isSameList(list, shown)) store.setState({ wallets: list })
  }
  store.setState({
    recentWalletIds: storage.read('recentWallets', parseRecentWallets) ?? [],
  })
  showWallets()
  // Names of an earlier page come in while its session is restored. Without any, nothing of names is loaded yet.
  if (config.names && storage.read('names', isRecord))
    import('./keptNames.ts').then(
      ({ showKeptNames }) => showKeptNames(context),
      () => undefined,
    )

  const listeners = new Set<object>()

  const readChainId = () => {
    const { chainId, isSupportedChain } = store.getState()
    return chainId && isSupportedChain ? chainId : initialChainId
  }

  return {
    config,
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: (listener) => {
      const unsubscribe = store.subscribe(listener)
      listeners.add(unsubscribe)
      return () => {
        listeners.delete(unsubscribe)
        unsubscribe()
      }
    },
    get isObserved() {
      return listeners.size > 0
    },
    get provider() {
      return context.live?.provider
    },
    connect: (parameters) => connect(context, parameters),
    disconnect: (parameters) => disconnect(context, parameters),
    reconnect: () => reconnect(context),
    switchChain: (parameters) => switchChain(context, parameters),
    signIn: () => context.signIn?.sign() ?? context.loadSignIn().then(({ sign }) => sign()),
    signOut: () => context.loadSignIn().then(({ signOut }) => signOut()),
    addTransaction: (parameters) => addTransaction(context, parameters),
    onTransactionSettled: (listener) => {
      // Once for each call, even of the same function.
      const own: SettledListener = (...news) => listener(...news)
      context.settledListeners.add(own)
      return () => void context.settledListeners.delete(own)
    },
    clearTransactions: () => clearTransactions(context),
    lookUpName: async (parameters) => (await import('./lookUpName.ts')).lookUpName(context, parameters),
    lookUpNames: async (parameters) => (await import('./lookUpNames.ts')).lookUpNames(context, parameters),
    lookUpAddress: async (parameters) => (await import('./lookUpAddress.ts')).lookUpAddress(context, parameters),
    getClient: (chainId = readChainId()) => context.clients.getClient(chainId),
    getPublicClient: (chainId = readChainId()) => context.clients.getPublicClient(chainId),
    getWalletClient: () => getWalletClient(context),
    openConnectDialog: () => openConnectDialog(context),
    openAccountDialog: () => openAccountDialog(context),
    openNetworkDialog: () => openNetworkDialog(context),
    openSignInDialog: () => openSignInDialog(context),
    closeDialog: () => closeDialog(context),
    dispatch: (event) => dispatch(context, event),
    destroy: () => {
      destroyed.abort()
      abandonAttempt(context)
      context.live?.unfollow()
      settleDialog(context, undefined)
      stopFollowing(context)
      wallets.destroy()
      tabs?.destroy()
    },
  }
}

async function loadSignIn(context: KitContext): Promise<SignIn> {
  const { authentication } = context.config
  if (!authentication) throw new ConfigurationError('No authentication was provided')
  const { createSignIn } = await import('./signIn.ts')
  context.signIn = createSignIn(context, authentication)
  return context.signIn
}

/** A list that reads the same is not shown anew. */
function isSameList(a: readonly WalletOption[], b: readonly WalletOption[]): boolean {
  const fields = (wallet: WalletOption) => Object.entries(wallet)
  return (
    a.length === b.length &&
    a.every((wallet, index) => {
      const other = b[index] as WalletOption
      return (
        fields(wallet).length === fields(other).length &&
        fields(wallet).every(([key, value]) => other[key as keyof WalletOption] === value)
      )
    })
  )
}
