import { useMemo } from 'react'
import type { Session } from '../../core/state/authentication.ts'
import type { WalletKitState } from '../../core/state/state.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { useDialog } from './useDialogs.ts'
import { rejectNotConnected, resolveUndefined, useWalletKitState } from './useWalletKit.ts'

export type UseSignInReturnType = {
  /** The session of the connected account while it is signed in. */
  session: Session | undefined
  /** Opens the dialog. Resolves with the session, or with `undefined` when the person closes it. */
  open: () => Promise<Session | undefined>
  /** Closes the dialog, and disconnects the wallet if sign-in is required. Does nothing while another dialog is open. */
  close: () => void
  isOpen: boolean
  /** Signs in without the dialog. @throws {WalletKitError} */
  signIn: () => Promise<Session>
  /** @throws {SignInError} when the server could not be reached */
  signOut: () => Promise<void>
}

/**
 * Returns the session of the connected account, and the actions to sign in and out. Needs `authentication` in the
 * configuration.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361
 * @example
 * ```tsx
 * const { session, open } = useSignIn()
 * if (!session) return <button onClick={open}>Sign in to see your notes</button>
 * ```
 */
export function useSignIn(): UseSignInReturnType {
  const { kit } = useWalletKitContext()
  const session = useWalletKitState((state) => state.session)
  const dialog = useDialog(isSignInOpen, (kit) => kit?.openSignInDialog ?? resolveUndefined)
  return useMemo(
    () => ({
      session,
      ...dialog,
      signIn: kit?.signIn ?? rejectNotConnected,
      signOut: kit?.signOut ?? resolveUndefined,
    }),
    [kit, session, dialog],
  )
}

const isSignInOpen = ({ dialog }: WalletKitState) => dialog.name === 'signIn'
