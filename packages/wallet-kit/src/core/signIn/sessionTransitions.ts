// A separate module, loaded with sign-in.
import type { Session } from '../state/authentication.ts'
import type { WalletKitState } from '../state/state.ts'
import {
  closeConnectedDialogs,
  closeDialog,
  coversAccount,
  isEstablished,
  type Rules,
  showSignIn,
} from '../state/transitions.ts'

/** Signs in the account and ends the step of sign-in. Ignores a session that does not cover the account. */
export function startSession(state: WalletKitState, session: Session, rules: Rules, now: number): WalletKitState {
  if (!isEstablished(state) || !coversAccount(state, session, rules, now)) return state
  const signedIn = showSignIn({ ...state, status: 'connected', session }, undefined)
  return state.dialog.name === 'signIn' ? closeDialog(signedIn) : signedIn
}

/** Ends the session. The wallet stays connected. */
export function endSession(state: WalletKitState, { authentication }: Rules): WalletKitState {
  if (!isEstablished(state)) return state
  const { session: _, ...rest } = state
  return closeConnectedDialogs({ ...rest, status: authentication?.required ? 'unauthenticated' : 'connected' })
}
