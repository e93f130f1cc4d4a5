import { SignInError } from '../lib/errors.ts'
import type { Session } from '../state/authentication.ts'
import { type KitContext, update } from '../state/context.ts'
import { showSignIn } from '../state/transitions.ts'

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
      if (!isOpen()) return
      update(context, (state) => showSignIn(state, { name: 'unprepared', error: new SignInError('generic', thrown) }))
    },
  )
}
