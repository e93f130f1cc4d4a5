import type { Address, Hash } from 'viem'
import type { Session } from './authentication.ts'
import type { WalletKitError } from './errors.ts'
import type { SignInStep } from './signInSteps.ts'
import type { ConnectFlow } from './steps.ts'
import type { WalletOption } from './wallet.ts'

export type Status = 'disconnected' | 'connecting' | 'reconnecting' | 'unauthenticated' | 'connected'

export type Dialog =
  | { name: 'none' }
  /** `step` to show; Back is possible while `history` is not empty. */
  | ({ name: 'connect' } & ConnectFlow)
  | { name: 'account' }
  | { name: 'network'; switching?: { chainId: number }; error?: WalletKitError }
  | { name: 'signIn'; step: SignInStep }

/** What this account did here, as the app described it. */
export type Transaction = {
  /** Under which it is found now: that of the transaction that took its place, or that a Safe has executed. */
  hash: Hash
  /** The hash it was added with, once that is another: by this one it stays the same transaction. */
  originalHash?: Hash
  description: string
  /** Blocks that must hold it before it counts as settled. Default: 1. */
  confirmations?: number
  status: 'pending' | 'confirmed' | 'failed'
  /** Of a pending one of a Safe: its other owners have yet to sign, or one of them to execute. They may take their time. */
  awaiting?: 'owners' | 'execution'
  /**
   * `reverted` on chain; `timeout` after 300,000 ms without a receipt; `cancelled` in the wallet; `dropped` when it is gone
   * from the node, or another transaction was sent in its place.
   */
  failureReason?: 'reverted' | 'timeout' | 'cancelled' | 'dropped'
  /** Unix milliseconds. */
  createdAt: number
  /** Unix milliseconds; since it was executed, where a Safe had to do that first. */
  executedAt?: number
  /** Unix milliseconds; since it is no longer pending. */
  settledAt?: number
}

/** Whose transaction it is, and where. */
export type TransactionAccount = { address: Address; chainId: number }

/** What an account is called. Proves nothing: it never stands in for the address where money could move. */
export type AccountName = {
  name?: string
  /** Of the name: an `https:` or `data:image/` address. */
  avatar?: string
}

/** The account that a name leads to, and the name in its normal form. */
export type NamedAddress = { name: string; address: Address }

/** What is known of an account's name, also while it is looked up anew. */
export type NameLookup =
  | ({ status: 'loading' | 'ready' } & AccountName)
  | ({ status: 'failed'; error: WalletKitError } & AccountName)

/** What `connect` gives. */
export type Connection = { walletId: string; address: Address; chainId: number }

/** All that views read. Replaced as a whole on every change. */
export type WalletKitState = {
  status: Status
  /** While reconnecting: as it was last time. */
  address?: Address
  chainId?: number
  /** `true` while nothing is connected. */
  isSupportedChain: boolean
  /** Of the connection, or of the try that is under way. */
  walletId?: string
  /** In the order of display. */
  wallets: readonly WalletOption[]
  /** The latest first. */
  recentWalletIds: readonly string[]
  dialog: Dialog
  /** Of this address on this chain, the latest first. */
  transactions: readonly Transaction[]
  hasPendingTransactions: boolean
  /** Of the accounts that were looked up, by address in lower case. */
  names: Readonly<Record<string, NameLookup>>
  /** Of this account, while it is signed in. */
  session?: Session
  /** Of the last try to connect. */
  error?: WalletKitError
}
