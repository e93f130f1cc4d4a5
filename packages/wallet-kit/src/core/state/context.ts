import type { Account, Address, EIP1193Provider, Hash, Transport, WalletClient } from 'viem'
import type { StoreApi } from 'zustand/vanilla'
import type { Lazy } from '../lib/promises.ts'
import type { KitStorage, Tabs } from '../lib/storage.ts'
import type { Clients } from '../provider/clients.ts'
import type { Wallets } from '../wallets/createWallets.ts'
import type { Connector, ConnectorConnection } from '../wallets/wallet.ts'
import type { Session, SignIn } from './authentication.ts'
import type { ResolvedConfig, WalletKitChain } from './config.ts'
import type {
  AccountName,
  Attempt,
  Connection,
  EstablishedState,
  NamedAddress,
  Transaction,
  TransactionAccount,
  WalletKitState,
} from './state.ts'

/** The store and the services that the actions of one kit share. */
export type KitContext = {
  config: ResolvedConfig
  store: StoreApi<WalletKitState>
  storage: KitStorage
  wallets: Wallets
  clients: Clients
  tabs: Tabs | undefined
  /** The transaction that settled last. */
  settled: StoreApi<Parameters<SettledListener> | undefined>
  /** Fires when the kit is destroyed. */
  signal: AbortSignal
  createAttemptId: () => number
  /** The code of a connected wallet. Every connection loads it first. */
  connected: Lazy<Connected>
  chainRequest: Lazy<{
    requestChain: (provider: EIP1193Provider, chain: WalletKitChain, signal: AbortSignal) => Promise<void>
  }>
  /** Rejects without `authentication` in the configuration, and when its code cannot be loaded. */
  signIn: Lazy<SignIn>
  names: Lazy<{
    lookUpName: (parameters: { address: Address }) => Promise<AccountName>
    lookUpNames: (parameters: { addresses: readonly Address[] }) => Promise<AccountName[]>
    lookUpAddress: (parameters: { name: string }) => Promise<NamedAddress | undefined>
  }>
}

export type EstablishConnectionParameters = {
  attempt: Attempt
  connector: Connector
  answer: ConnectorConnection
  /** The session of this browser at the server. */
  session: Session | undefined
}

/** Establishes a connection, follows its wallet, switches its chain, and stores its transactions. */
type Connected = {
  transactions: Transactions
  checksumAddress: (address: Address) => Address
  establishConnection: (context: KitContext, parameters: EstablishConnectionParameters) => Connection
  /** Calls `onLocked` when the wallet has no account any more. */
  watchConnection: (context: KitContext, state: EstablishedState, onLocked: () => void) => void
  /** Ends what is open in wallets that are left. `revoke` also takes the permission of this site from the connected one. */
  leaveWallets: (context: KitContext, left: LeftWallets, revoke?: boolean) => void
  switchChain: (context: KitContext, parameters: { chainId: number }) => Promise<void>
  getWalletClient: (context: KitContext) => Promise<WalletClient<Transport, WalletKitChain, Account>>
}

/** The connected wallet that is left, and the id of the wallet whose answer to a code is no longer awaited. */
export type LeftWallets = Pick<WalletKitState, 'connector' | 'provider'> & { awaited: string | undefined }

/** Its description, and the connection that sent it. Default: the current one. */
type AddedTransaction = { description: string; connection?: Connection<string> | undefined }

/** Stores the transactions of this site, and watches the pending ones. */
export type Transactions = {
  addTransaction: (parameters: AddedTransaction & { hash: Hash; confirmations?: number | undefined }) => void
  addCalls: (parameters: AddedTransaction & { id: string }) => void
  clear: () => void
  /** Shows the stored transactions, which another tab may have changed. */
  refresh: () => void
  /** Watches the pending transactions of the connected account on its chain. */
  watch: () => void
  /** Stops watching the transactions that the wallet of this connection reports on. */
  leaveConnection: (connectionId: number) => void
}

/**
 * Called with a transaction that has settled.
 *
 * @param transaction - The transaction, with its outcome.
 * @param account - The account and chain that it belongs to.
 */
export type SettledListener = (transaction: Transaction, account: TransactionAccount) => void

/** Replaces the state by the result of a pure transition. */
export function update({ store }: Pick<KitContext, 'store'>, transition: (state: WalletKitState) => WalletKitState) {
  store.setState(transition, true)
}

/**
 * Gives up the code whose answer the next page would await, and returns the id of its wallet, unless it has expired. Its topic
 * stays, so that the relay can withdraw it.
 */
export function forgetAwaited({ storage }: Pick<KitContext, 'storage'>): string | undefined {
  // Without a code it throws here, which counts as no value.
  return storage.read('session', (session) => {
    const { pairing } = session as { pairing: { walletId: string; expiry: number } }
    const { walletId, expiry } = pairing
    pairing.expiry = 0
    storage.write('session', session)
    return expiry > Date.now() ? walletId : undefined
  })
}

/**
 * Creates a signal that fires when `isCurrent` returns `false` or the kit is destroyed, unless `release` was called
 * before.
 */
export function signalWhile(
  { store, signal }: Pick<KitContext, 'store' | 'signal'>,
  isCurrent: (state: WalletKitState) => boolean,
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const abort = () => {
    release()
    controller.abort()
  }
  const unsubscribe = store.subscribe((state) => isCurrent(state) || abort())
  const release = () => {
    unsubscribe()
    signal.removeEventListener('abort', abort)
  }
  signal.addEventListener('abort', abort)
  if (signal.aborted || !isCurrent(store.getState())) abort()
  return { signal: controller.signal, release }
}

/**
 * Resolves with the first state for which `isReached` returns `true`, or with `undefined` when the kit is destroyed.
 */
export function waitForState(
  context: Pick<KitContext, 'store' | 'signal'>,
  isReached: (state: WalletKitState) => boolean,
): Promise<WalletKitState | undefined> {
  return new Promise((resolve) => {
    const { signal } = signalWhile(context, (state) => !isReached(state))
    const end = () => {
      resolve(context.signal.aborted ? undefined : context.store.getState())
    }
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
