import type { Address, EIP1193Provider, Hash } from 'viem'
import type { SignInError, WalletKitErrorType } from '../lib/errors.ts'
import type { Connector, ListedWalletId, WalletOption } from '../wallets/wallet.ts'
import type { Session } from './authentication.ts'

/** A transaction of the connected account that the app has added. */
export type Transaction = {
  /**
   * The current hash, which differs after a replacement with a higher fee or the execution by a Safe. Missing while
   * the wallet knows the transaction only by `callsId`.
   */
  hash?: Hash
  /** The hash that was added, if `hash` has changed since. */
  originalHash?: Hash
  /** The id with which the wallet executes it. @see https://eips.ethereum.org/EIPS/eip-5792 */
  callsId?: string
  description: string
  /** Confirmations after which it is settled. Default: 1. */
  confirmations?: number
  status: 'pending' | 'confirmed' | 'failed'
  /**
   * Set without a time limit while a Safe waits for other `owners` to sign, or for one of them to start the
   * `execution`; `wallet`: the wallet accepted it and does not report on it.
   */
  awaiting?: 'owners' | 'execution' | 'wallet'
  /**
   * `reverted` on chain; `partial`: some of its calls took effect, and others reverted; `timeout` after 300,000 ms
   * without a receipt, or after 24 hours without a report by the wallet; `cancelled` in the wallet; `dropped` by the
   * node or the wallet, or replaced by another call.
   */
  failureReason?: 'reverted' | 'partial' | 'timeout' | 'cancelled' | 'dropped'
  /** Unix milliseconds. */
  createdAt: number
  /** Unix milliseconds of the execution by a Safe. */
  executedAt?: number
  /** Unix milliseconds of the time when it settled. */
  settledAt?: number
}

/** The account and chain of a transaction. */
export type TransactionAccount = { address: Address; chainId: number }

/** The name of an account. Names prove nothing: show the address wherever money can move. */
export type AccountName = {
  name?: string
  /** Avatar of the name: an `https:` or `data:image/` address. */
  avatar?: string
}

/** A name in its normal form and the account that it resolves to. */
export type NamedAddress = { name: string; address: Address }

/** The lookup of a name, with the last known name. */
export type NameLookup =
  | ({ status: 'loading' | 'ready' } & AccountName)
  | ({ status: 'failed'; error: WalletKitErrorType } & AccountName)

/** A connected account: the result of `kit.connect`. */
export type Connection<id extends string = ListedWalletId> = { walletId: id; address: Address; chainId: number }

/** An attempt to connect a wallet. Answers to other attempts are dropped. */
export type Attempt = {
  /** Unique within the kit. */
  id: number
  /**
   * `connect` prompts the person; `reconnect` asks the wallet without a prompt; `background` continues to do so for a
   * wallet that is missing, silent or locked, while the page shows that nothing is connected.
   */
  kind: 'connect' | 'reconnect' | 'background'
  walletId: ListedWalletId
}

type WithoutAccount = {
  [key in Exclude<keyof EstablishedState, 'status' | 'walletId' | 'attempt' | 'error'>]?: undefined
}

/** No wallet is connected. */
export type DisconnectedState = WithoutAccount & {
  status: 'disconnected'
  walletId?: undefined
  /** Set while a wallet that contains the page, or the last one in the background, is asked without a prompt. */
  attempt?: Attempt
  /** The error of the last attempt. */
  error?: WalletKitErrorType
}

/** A wallet is being asked for its accounts. */
export type ConnectingState = WithoutAccount & {
  status: 'connecting'
  walletId: ListedWalletId
  attempt: Attempt
  /** `RequestPendingError` while the wallet has an earlier request open. */
  error?: WalletKitErrorType
}

/** The last connection is being restored. Account and chain are the stored ones, not yet confirmed by the wallet. */
export type ReconnectingState = Omit<WithoutAccount, 'address' | 'chainId'> & {
  status: 'reconnecting'
  walletId: ListedWalletId
  address: Address
  chainId: number
  attempt: Attempt
  error?: undefined
}

/** A wallet is connected: `unauthenticated` while sign-in is required and missing. */
export type EstablishedState = {
  status: 'unauthenticated' | 'connected'
  walletId: ListedWalletId
  address: Address
  chainId: number
  /** Identity of the connection: the id of its attempt. */
  connectionId: number
  connector: Connector
  provider: EIP1193Provider
  /** The session, while signed in. */
  session?: Session
  /** The step of sign-in, while an attempt is under way or its dialog is open. */
  signIn?: SignInStep
  /** The chain of the latest request to switch, until the wallet answers. */
  switching?: { chainId: number }
  /** The attempt to connect another wallet. This connection stays until it succeeds. */
  attempt?: Attempt
  error?: undefined
}

/** The part of the state that depends on `status`. */
export type ConnectionState = DisconnectedState | ConnectingState | ReconnectingState | EstablishedState

/** The status of the connection. */
export type Status = ConnectionState['status']

/** The part of the state that does not depend on `status`. */
export type CommonState = {
  /** `true` if the app supports the chain of the wallet; `true` while nothing is connected. */
  isSupportedChain: boolean
  /** The wallet list, in the order of display. */
  wallets: readonly WalletOption[]
  /** At most three ids, the latest first. */
  recentWalletIds: readonly ListedWalletId[]
  dialog: Dialog
  /** Transactions of this address on this chain, the latest first. */
  transactions: readonly Transaction[]
  hasPendingTransactions: boolean
  /** Names of looked-up accounts, by address in lower case. */
  names: Readonly<Record<string, NameLookup>>
}

/** The state of a kit, a union by `status`. */
export type WalletKitState = CommonState & ConnectionState

/** `attempt`: the id of the attempt that the step shows. */
type Attempted = { name: 'connecting'; walletId: ListedWalletId; attempt: number }

/**
 * A request to a wallet in progress. `uri`: its pairing URI of the relay; `declined`: the person rejected an earlier
 * URI.
 */
export type OpeningStep = Attempted & { phase: 'opening'; uri?: string; declined?: true }

/** The step of an attempt to connect, by its phase. */
export type ConnectingStep =
  | OpeningStep
  | (Attempted & { phase: 'alreadyOpen' })
  | (Attempted & { phase: 'rejected' })
  /** The app connects another wallet instead. */
  | (Attempted & { phase: 'cancelled' })
  | (Attempted & { phase: 'failed'; error: WalletKitErrorType })

/** A step of the connect dialog, with its own data. */
export type ConnectStep =
  | { name: 'list' }
  | { name: 'learn' }
  | { name: 'get' }
  | ConnectingStep
  | { name: 'downloadOptions'; walletId: ListedWalletId }
  | { name: 'download'; walletId: ListedWalletId }
  | { name: 'mobileInstructions'; walletId: ListedWalletId }
  | { name: 'extensionInstructions'; walletId: ListedWalletId }
  | { name: 'desktopInstructions'; walletId: ListedWalletId }

/** The progress or outcome of an attempt. */
export type AttemptEvent =
  | { type: 'uri'; attempt: number; uri: string }
  /** The person rejected the request, and the connector creates another URI. */
  | { type: 'declined'; attempt: number }
  | { type: 'alreadyOpen'; attempt: number }
  | { type: 'rejected'; attempt: number }
  | { type: 'cancelled'; attempt: number }
  | { type: 'failed'; attempt: number; error: WalletKitErrorType }

/** The current step, and the earlier steps for Back. */
export type ConnectFlow = { step: ConnectStep; history: readonly ConnectStep[] }

/**
 * A step of the sign-in dialog, with its own data.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361
 */
export type SignInStep =
  /** The nonce is being fetched and the message created. */
  | { name: 'preparing'; error?: SignInError }
  /** Preparing failed and can be retried. */
  | { name: 'unprepared'; error: SignInError }
  /** The message is ready: a tap signs it at once. */
  | { name: 'idle'; error?: SignInError }
  /** The wallet asks the person to sign. */
  | { name: 'signing' }
  /** The server verifies the signature. */
  | { name: 'verifying' }
  /** The wallet is on a chain that the app does not support. */
  | { name: 'wrongNetwork'; error?: WalletKitErrorType }

/** The open dialog. */
export type Dialog =
  | { name: 'none' }
  /** Back is possible while `history` is not empty. */
  | ({ name: 'connect' } & ConnectFlow)
  | { name: 'account' }
  | { name: 'network'; error?: WalletKitErrorType }
  /** Its step is `signIn` of the state. */
  | { name: 'signIn' }

/** Checks whether a wallet is connected, with or without a required session. */
export function isEstablished(state: WalletKitState): state is CommonState & EstablishedState {
  return state.status === 'connected' || state.status === 'unauthenticated'
}

/** Returns the connection of a state; `undefined` while no wallet is connected. */
export function toConnection(state: WalletKitState): Connection | undefined {
  if (!isEstablished(state)) return undefined
  const { walletId, address, chainId } = state
  return { walletId, address, chainId }
}
