import { useMemo } from 'react'
import type { Session } from '../../core/state/authentication.ts'
import { doNothing, rejectNotConnected, resolveUndefined, useWalletKit, useWalletKitState } from './useWalletKit.ts'

export type UseSignInReturnType = {
  /** The session of the connected account while it is signed in. */
  session: Session | undefined
  /** Opens the dialog. Resolves with the session, or with `undefined` when the person closes it. */
  open: () => Promise<Session | undefined>
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
  const kit = useWalletKit({ shouldThrow: false })
  const session = useWalletKitState((state) => state.session)
  const isOpen = useWalletKitState((state) => state.dialog.name === 'signIn')
  return useMemo(
    () => ({
      session,
      open: kit?.openSignInDialog ?? resolveUndefined,
      close: kit?.closeDialog ?? doNothing,
      isOpen,
      signIn: kit?.signIn ?? rejectNotConnected,
      signOut: kit?.signOut ?? resolveUndefined,
    }),
    [kit, session, isOpen],
  )
}
