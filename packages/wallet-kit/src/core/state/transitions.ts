import type { WalletKitErrorType } from '../lib/errors.ts'
import type { ListedWalletId, WalletOption } from '../wallets/wallet.ts'
import type { WalletKitConfig } from './config.ts'
import {
  type Attempt,
  type AttemptEvent,
  type CommonState,
  type ConnectFlow,
  type ConnectingStep,
  type Connection,
  type ConnectStep,
  type Dialog,
  isEstablished,
  type SignInStep,
  type WalletKitState,
} from './state.ts'

/** Starts an attempt, which replaces an earlier one. A connection stays until the new wallet is connected. */
export function startAttempt(state: WalletKitState, attempt: Attempt): WalletKitState {
  const { walletId, kind } = attempt
  if (isEstablished(state) || kind !== 'connect') return { ...state, attempt } as WalletKitState
  return { ...withoutConnection(state), status: 'connecting', walletId, attempt }
}

/** Starts to restore the last connection, with its stored account. */
export function startReconnect(
  state: WalletKitState,
  attempt: Attempt,
  { walletId, address, chainId }: Connection,
  { chains }: Pick<WalletKitConfig, 'chains'>,
): WalletKitState {
  const isSupportedChain = includesChain(chains, chainId)
  return { ...withoutConnection(state), status: 'reconnecting', walletId, address, chainId, isSupportedChain, attempt }
}

/** Continues an attempt in the background. The stored account is no longer shown. */
export function hideAttempt(state: WalletKitState, id: number): WalletKitState {
  const { attempt } = state
  if (attempt?.id !== id || isEstablished(state)) return state
  return { ...withoutConnection(state), status: 'disconnected', attempt: { ...attempt, kind: 'background' } }
}

/** Ends an attempt without a connection: it was cancelled, rejected, or failed with `error`. */
export function endAttempt(state: WalletKitState, id: number | undefined, error?: WalletKitErrorType): WalletKitState {
  if (state.attempt?.id !== id) return state
  if (!isEstablished(state)) return { ...withoutConnection(state), status: 'disconnected', ...(error && { error }) }
  const { attempt: _, ...rest } = state
  return rest
}

/** Ends an attempt with an error. A rejection by the person does not set `error`. */
export function failAttempt(state: WalletKitState, id: number, error: WalletKitErrorType): WalletKitState {
  if (error.name === 'UserRejectedError') return endAttempt(reportAttempt(state, { type: 'rejected', attempt: id }), id)
  return endAttempt(reportAttempt(state, { type: 'failed', attempt: id, error }), id, error)
}

/** Shows that the wallet has an earlier request open. */
export function reportPending(state: WalletKitState, id: number, error: WalletKitErrorType): WalletKitState {
  if (state.attempt?.id !== id) return state
  const reported = reportAttempt(state, { type: 'alreadyOpen', attempt: id })
  return reported.status === 'connecting' ? { ...reported, error } : reported
}

/** Shows the progress of an attempt in the connect dialog, if the attempt is its current one. */
export function reportAttempt(state: WalletKitState, event: AttemptEvent): WalletKitState {
  const { dialog } = state
  if (dialog.name !== 'connect') return state
  const flow = settleAttempt(dialog, event)
  return flow === dialog ? state : { ...state, dialog: { ...flow, name: 'connect' } }
}

/** Returns the step of the current attempt, which is shown or one Back away. */
export function findAttempt({ step, history }: ConnectFlow): ConnectingStep | undefined {
  return [...history, step].findLast((step) => step.name === 'connecting')
}

/** Applies an event to the step of its attempt, if that attempt is current. */
export function settleAttempt(flow: ConnectFlow, event: AttemptEvent): ConnectFlow {
  if (findAttempt(flow)?.attempt !== event.attempt) return flow
  const update = (step: ConnectStep) =>
    step.name === 'connecting' && step.attempt === event.attempt ? applyEvent(step, event) : step
  return { step: update(flow.step), history: flow.history.map(update) }
}

function applyEvent(before: ConnectingStep, event: AttemptEvent): ConnectingStep {
  const { name, walletId, attempt } = before
  const step = { name, walletId, attempt }
  switch (event.type) {
    case 'uri':
      return {
        ...step,
        phase: 'opening',
        uri: event.uri,
        ...(before.phase === 'opening' && before.declined && { declined: true }),
      }
    case 'declined':
      return { ...step, phase: 'opening', declined: true }
    case 'failed':
      return { ...step, phase: 'failed', error: event.error }
    case 'alreadyOpen':
    case 'rejected':
    case 'cancelled':
      return { ...step, phase: event.type }
  }
}

/** Shows the transactions of the account. */
export function showTransactions(
  state: WalletKitState,
  transactions: Pick<CommonState, 'transactions' | 'hasPendingTransactions'>,
): WalletKitState {
  return { ...state, ...transactions }
}

/** Sets or removes the step of sign-in while a wallet is connected. */
export function showSignIn(state: WalletKitState, step: SignInStep | undefined): WalletKitState {
  if (!isEstablished(state) || state.signIn === step) return state
  const { signIn: _, ...rest } = state
  return { ...rest, ...(step && { signIn: step }) }
}

/** Ends the connection. An attempt to connect another wallet continues, with its dialog. */
export function endConnection(state: WalletKitState): WalletKitState {
  const { attempt, dialog } = state
  const isAsking = attempt !== undefined && dialog.name === 'connect'
  const rest = { ...withoutConnection(state), dialog: isAsking ? dialog : ({ name: 'none' } as const) }
  return attempt
    ? { ...rest, status: 'connecting', walletId: attempt.walletId, attempt }
    : { ...rest, status: 'disconnected' }
}

/** Opens a dialog other than sign-in. */
export function openDialog(
  state: WalletKitState,
  dialog: Exclude<Dialog, { name: 'none' | 'signIn' }>,
): WalletKitState {
  return { ...state, dialog }
}

/** Opens the sign-in dialog, at the current step if one is under way. */
export function openSignIn(state: WalletKitState): WalletKitState {
  if (!isEstablished(state)) return state
  const first: SignInStep = { name: state.isSupportedChain ? 'preparing' : 'wrongNetwork' }
  const { signIn } = state
  return { ...state, dialog: { name: 'signIn' }, signIn: isSigning(signIn) ? signIn : first }
}

/** Checks whether a step waits for the wallet's signature or for its verification. */
export function isSigning(step: SignInStep | undefined): step is SignInStep & { name: 'signing' | 'verifying' } {
  return step?.name === 'signing' || step?.name === 'verifying'
}

/** Closes the open dialog. Closing sign-in removes its step. */
export function closeDialog(state: WalletKitState): WalletKitState {
  const closed: WalletKitState = { ...state, dialog: { name: 'none' } }
  return state.dialog.name === 'signIn' ? showSignIn(closed, undefined) : closed
}

/** Returns the state without a connection and attempt. */
export function withoutConnection({ wallets, recentWalletIds, dialog, names }: WalletKitState): CommonState {
  return {
    wallets,
    recentWalletIds,
    dialog,
    names,
    isSupportedChain: true,
    transactions: [],
    hasPendingTransactions: false,
  }
}

export function includesChain(chains: WalletKitConfig['chains'], chainId: number): boolean {
  return chains.some(({ id }) => id === chainId)
}

/** Number of wallets that count as recent. */
export const maxRecentWallets = 3

/** Shows the wallets that were connected last, the latest first. */
export function showRecentWallets(state: WalletKitState, recentWalletIds: readonly ListedWalletId[]): WalletKitState {
  return { ...state, recentWalletIds }
}

/** Shows the wallets of the page. An equal list does not change the state. */
export function showWallets(state: WalletKitState, wallets: readonly WalletOption[]): WalletKitState {
  return isSameList(wallets, state.wallets) ? state : { ...state, wallets }
}

/** Compares two lists by the fields of their wallets. */
function isSameList(a: readonly WalletOption[], b: readonly WalletOption[]): boolean {
  const isSame = (one: WalletOption, other = {} as WalletOption) =>
    Object.keys({ ...one, ...other }).every(
      (key) => one[key as keyof WalletOption] === other[key as keyof WalletOption],
    )
  return a.length === b.length && a.every((wallet, index) => isSame(wallet, b[index]))
}
