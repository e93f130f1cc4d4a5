import { SignInError } from '../lib/errors.ts'
import type { Session } from '../state/authentication.ts'
import { type KitContext, update } from '../state/context.ts'
import type { SignInStep } from '../state/dialog.ts'
import type { WalletKitState } from '../state/state.ts'
import { isEstablished } from '../state/transitions.ts'

/** Reads the session of this browser from the server, if sign-in is required. Never rejects. */
export async function readSession({ config, signIn }: KitContext): Promise<Session | undefined> {
  if (!config.authentication?.required || !config.authentication.adapter.getSession) return undefined
  return signIn.load().then(
    ({ restore }) => restore(),
    () => undefined,
  )
}

/** Restores the session of this browser in the background. */
export function resumeSession({ config, signIn }: KitContext): void {
  if (!config.authentication?.adapter.getSession) return
  signIn.load().then(
    ({ resume }) => resume(),
    () => {},
  )
}

/** Loads the code of sign-in and prepares the message for the open dialog. */
export function prepareSignIn(context: KitContext): void {
  const isOpen = () => context.store.getState().dialog.name === 'signIn'
  context.signIn.load().then(
    ({ open }) => isOpen() && open(),
    (thrown) => {
      if (isOpen()) showSignInStep(context, { name: 'unprepared', error: new SignInError('generic', thrown) })
    },
  )
}

/** Sets or removes the sign-in step while an account is connected. */
export function showSignInStep(context: KitContext, signIn: SignInStep | undefined): void {
  update(context, (state): WalletKitState => {
    if (!isEstablished(state) || state.signIn === signIn) return state
    const { signIn: _, ...rest } = state
    return { ...rest, ...(signIn && { signIn }) }
  })
}
