import type { SignInError, WalletKitErrorType } from '../lib/errors.ts'

/** `attempt`: the id of the attempt that the step shows. */
type Attempted = { name: 'connecting'; walletId: string; attempt: number }

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
  | { name: 'downloadOptions'; walletId: string }
  | { name: 'download'; walletId: string }
  | { name: 'mobileInstructions'; walletId: string }
  | { name: 'extensionInstructions'; walletId: string }
  | { name: 'desktopInstructions'; walletId: string }

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
