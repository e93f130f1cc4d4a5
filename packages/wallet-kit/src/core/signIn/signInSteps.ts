import type { SignInError } from '../lib/errors.ts'
import type { SignInStep } from '../state/state.ts'

/** The name of a step of the sign-in dialog, such as `idle` before the person signs, and `verifying` after it. */
export type SignInStepName = SignInStep['name']

/** The events of the sign-in dialog. */
export type SignInEvent =
  | { type: 'prepare' | 'prepared' | 'sign' | 'signed' | 'rejected' | 'leaveNetwork' }
  | { type: 'failed'; error: SignInError }

/** The table of the sign-in dialog: step, event, next step. */
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
 * Returns the next step of the sign-in dialog; the same step when the event changes nothing. An error stays until the
 * next attempt, even while another message is prepared.
 */
export function reduceSignIn(step: SignInStep, event: SignInEvent): SignInStep {
  const name = signInSteps[step.name][event.type]
  if (!name) return step
  if (event.type === 'failed') return { name: 'unprepared', error: event.error }
  const error = step.name === 'preparing' || step.name === 'unprepared' ? step.error : undefined
  if (name === 'preparing') return { name, ...(error && { error }) }
  // A prepared message clears an error of preparing.
  if (event.type === 'prepared') return { name: 'idle', ...(error && error.stage !== 'preparing' && { error }) }
  return { name } as SignInStep
}
