// A separate module, loaded with the code of a connected wallet.
import type { EIP1193Provider } from 'viem'
import type { WalletKitErrorType } from '../lib/errors.ts'
import type { Connector, ListedWalletId, WalletOption } from '../wallets/wallet.ts'
import type { Session } from './authentication.ts'
import type { WalletKitConfig } from './config.ts'
import {
  type Attempt,
  type CommonState,
  type Connection,
  type EstablishedState,
  isEstablished,
  type WalletKitState,
} from './state.ts'
import { closeDialog, includesChain, openSignIn, withoutConnection } from './transitions.ts'

/** The part of the configuration that transitions use. */
export type Rules = Pick<WalletKitConfig, 'chains' | 'authentication'>

/** An account on a chain, with its transactions. */
type AccountState = Pick<EstablishedState, 'address' | 'chainId'> &
  Pick<CommonState, 'transactions' | 'hasPendingTransactions'>

type EstablishParameters = AccountState & {
  attempt: Attempt
  connector: Connector
  provider: EIP1193Provider
  /** The session of this browser. Default: that of the earlier connection. */
  session: Session | undefined
  recentWalletIds: readonly ListedWalletId[]
  wallets: readonly WalletOption[]
}

/**
 * Connects the wallet of `attempt`, which replaces an earlier one. Closes the dialog, or opens sign-in if it is
 * required.
 */
export function establish(
  state: WalletKitState,
  { attempt, connector, provider, session = state.session, recentWalletIds, wallets, ...account }: EstablishParameters,
  rules: Rules,
  now: number,
): WalletKitState {
  const established: WalletKitState = {
    ...withoutConnection(state),
    ...toAccount(account, session, rules, now),
    walletId: attempt.walletId,
    connectionId: attempt.id,
    connector,
    provider,
    recentWalletIds,
    wallets,
    dialog: { name: 'none' },
  }
  return established.status === 'unauthenticated' && attempt.kind === 'connect' ? openSignIn(established) : established
}

/** Changes the account or chain of the connection. */
export function changeAccount(state: WalletKitState, account: AccountState, rules: Rules, now: number): WalletKitState {
  if (!isEstablished(state)) return state
  const { session, ...rest } = state
  return closeConnectedDialogs({ ...rest, ...toAccount(account, session, rules, now) })
}

/** Starts to switch the chain. A later request replaces an earlier one. */
export function startSwitch(state: WalletKitState, switching: { chainId: number }): WalletKitState {
  return isEstablished(state) ? { ...showSwitchError(state), switching } : state
}

/** Ends the latest request to switch. The open dialog shows its error. */
export function endSwitch(
  state: WalletKitState,
  request: { chainId: number },
  outcome: 'done' | WalletKitErrorType,
): WalletKitState {
  if (state.switching !== request) return state
  const { switching: _, ...rest } = state
  if (outcome !== 'done') return showSwitchError(rest, outcome)
  return rest.dialog.name === 'network' ? closeDialog(rest) : rest
}

function showSwitchError<state extends WalletKitState>(state: state, error?: WalletKitErrorType): state {
  const { dialog, signIn } = state
  if (dialog.name === 'network') return { ...state, dialog: { name: 'network', ...(error && { error }) } }
  if (dialog.name === 'signIn' && signIn?.name === 'wrongNetwork')
    return { ...state, signIn: { name: 'wrongNetwork', ...(error && { error }) } }
  return state
}

function toAccount(account: AccountState, session: Session | undefined, rules: Rules, now: number) {
  const isSupportedChain = includesChain(rules.chains, account.chainId)
  return { ...account, isSupportedChain, ...toSession(account, session, rules, now) }
}

/** Returns the status of an account, with its session if that covers the account. */
function toSession(
  account: Pick<Connection, 'address' | 'chainId'>,
  session: Session | undefined,
  rules: Rules,
  now: number,
): Pick<EstablishedState, 'status' | 'session'> {
  if (session && coversAccount(account, session, rules, now)) return { status: 'connected', session }
  return { status: rules.authentication?.required ? 'unauthenticated' : 'connected' }
}

/** Checks whether a session is valid for an account at the time `now`, in Unix milliseconds. */
export function coversAccount(
  { address, chainId }: Pick<Connection, 'address' | 'chainId'>,
  session: Session,
  { authentication }: Rules,
  now: number,
): boolean {
  if (!authentication) return false
  const { covers = isSameAddress } = authentication
  return session.expiresAt > now && covers(session, { address, chainId })
}

/** Closes the account and network dialogs when a required session is missing. */
export function closeConnectedDialogs(state: WalletKitState): WalletKitState {
  const { dialog, status } = state
  const isForConnected = dialog.name === 'account' || dialog.name === 'network'
  return status === 'unauthenticated' && isForConnected ? closeDialog(state) : state
}

function isSameAddress(session: Session, { address }: Pick<Connection, 'address'>): boolean {
  return session.address.toLowerCase() === address.toLowerCase()
}
