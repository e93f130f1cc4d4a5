import type { SignInError, WalletKitError } from './errors.ts'

/** A place in the sign-in dialog, with what belongs to it. */
export type SignInStep =
  /** The nonce is fetched and the message made. */
  | { name: 'preparing'; error?: SignInError }
  /** There is no message; it can be asked for again. */
  | { name: 'unprepared'; error: SignInError }
  /** The message is there: a tap signs it at once. */
  | { name: 'idle'; error?: SignInError }
  /** The person is asked by the wallet. */
  | { name: 'signing' }
  /** The server is asked. */
  | { name: 'verifying' }
  /** Nothing is signed on a chain that is not the app's. */
  | { name: 'wrongNetwork'; switching?: { chainId: number }; error?: WalletKitError }

export type SignInStepName = SignInStep['name']

/** What moves the sign-in dialog on. */
export type SignInEvent =
  | { type: 'prepare' | 'prepared' | 'sign' | 'signed' | 'rejected' | 'leaveNetwork' }
  | { type: 'failed'; error: SignInError }

/** The sign-in dialog: in which step, on which event, to which step. */
export const signInSteps: Record<SignInStepName, Partial<Record<SignInEvent['type'], SignInStepName>>> = {
  preparing: { prepare: 'preparing', prepared: 'idle', failed: 'unprepared', leaveNetwork: 'wrongNetwork' },
  unprepared: { prepare: 'preparing', failed: 'unprepared', leaveNetwork: 'wrongNetwork' },
  idle: { prepare: 'preparing', sign: 'signing', leaveNetwork: 'wrongNetwork' },
  signing: {
    prepare: 'preparing',
    signed: 'verifying',
    rejected: 'idle',
    failed: 'unprepared',
    leaveNetwork: 'wrongNetwork',
  },
  verifying: { prepare: 'preparing', failed: 'unprepared', leaveNetwork: 'wrongNetwork' },
  wrongNetwork: { prepare: 'preparing' },
}

/**
 * The next step of the sign-in dialog. Pure; returns the same step when the event changes nothing. What failed is said
 * until the next try: also while a new message is prepared, and when it is.
 *
 * @example
 * reduceSignIn({ name: 'signing' }, { type: 'rejected' }) // { name: 'idle' }
 */
export function reduceSignIn(step: SignInStep, event: SignInEvent): SignInStep {
  const name = signInSteps[step.name][event.type]
  if (!name) return step
  if (event.type === 'failed') return { name: 'unprepared', error: event.error }
  const error = step.name === 'preparing' || step.name === 'unprepared' ? step.error : undefined
  if (name === 'preparing') return { name, ...(error && { error }) }
  // Once there is a message, that there was none is past.
  if (event.type === 'prepared') return { name: 'idle', ...(error && error.stage !== 'preparing' && { error }) }
  return { name } as SignInStep
}
