import type { Address, EIP1193Provider } from 'viem'
import type { StoreApi } from 'zustand/vanilla'
import type { SignIn } from './authentication.ts'
import type { Clients } from './clients.ts'
import type { WalletKitConfig } from './config.ts'
import type { Wallets } from './createWallets.ts'
import type { AccountName, Connection, Transaction, TransactionAccount, WalletKitState } from './state.ts'
import type { KitStorage } from './storage.ts'
import type { Tabs } from './tabs.ts'
import type { Connector } from './wallet.ts'

/** What the actions of one kit share. Views see none of it but the store's state. */
export type KitContext = {
  config: WalletKitConfig
  store: StoreApi<WalletKitState>
  storage: KitStorage
  wallets: Wallets
  clients: Clients
  tabs: Tabs | undefined
  /** Fires when the kit is destroyed. */
  signal: AbortSignal
  /** The try under way. A newer one takes its place, and it then counts no more. */
  attempt?: Attempt
  lastAttempt: number
  live?: LiveConnection
  /** Once it was needed. */
  signIn?: SignIn
  /** The hash behind checksums, loaded once. */
  loadChecksum: () => Promise<{ checksumAddress: (address: Address) => Address }>
  loadAskForChain: () => Promise<Pick<typeof import('./askForChain.ts'), 'askForChain'>>
  /** Rejects where the app has no sign-in, and when its code cannot be loaded. */
  loadSignIn: () => Promise<SignIn>
  /** What `openConnectDialog` promised. */
  dialogResult?: { promise: Promise<Connection | undefined>; resolve: (connection: Connection | undefined) => void }
  reconnecting?: Promise<Connection | undefined>
  /** The latest request to switch; an earlier one no longer speaks in the dialog. */
  switching?: symbol
  /** Pending transactions that are being waited for. */
  followed: Map<string, Following>
  settledListeners: Set<SettledListener>
  /** Names that are being looked up, by address in lower case. */
  lookups: Map<string, Promise<AccountName>>
}

/** A transaction that this page waits for. */
export type Following = {
  account: TransactionAccount
  id: string
  stop: AbortController
  /** The connection whose wallet alone can tell what becomes of it. */
  teller?: LiveConnection
}

/** Is told of a transaction that is no longer pending. */
export type SettledListener = (transaction: Transaction, account: TransactionAccount) => void

export type Attempt = {
  id: number
  kind: 'connect' | 'reconnect'
  walletId: string
  controller: AbortController
}

/** The connection beneath the state. */
export type LiveConnection = {
  walletId: string
  connector: Connector
  provider: EIP1193Provider
  checksumAddress: (address: Address) => Address
  unfollow: () => void
}

/** Opens a try; any earlier one is abandoned. */
export function startAttempt(
  context: KitContext,
  {
    kind,
    walletId,
    id = context.lastAttempt + 1,
  }: { kind: Attempt['kind']; walletId: string; id?: number | undefined },
): Attempt {
  abandonAttempt(context)
  const attempt: Attempt = { id, kind, walletId, controller: new AbortController() }
  context.lastAttempt = id
  context.attempt = attempt
  return attempt
}

/** From here on nothing that the try under way answers will count. */
export function abandonAttempt(context: KitContext): void {
  const { attempt } = context
  delete context.attempt
  attempt?.controller.abort()
}

/** The connection as it stands, if there is one. */
export function getConnection({ live, store }: KitContext): Connection | undefined {
  const { address, chainId } = store.getState()
  return live && address && chainId ? { walletId: live.walletId, address, chainId } : undefined
}

/** Keeps the promise of the connect dialog. */
export function settleDialog(context: KitContext, connection: Connection | undefined): void {
  context.dialogResult?.resolve(connection)
  delete context.dialogResult
}
