import { useMemo } from 'react'
import type { Session } from '../core/authentication.ts'
import { useKitState } from './useKitState.ts'
import { useWalletKit } from './useWalletKit.ts'

export type UseSignInReturnType = {
  /** While the account is signed in. */
  session: Session | undefined
  /** Shows the dialog. Resolves with the session, or with `undefined` when the person closes it. */
  open: () => Promise<Session | undefined>
  close: () => void
  isOpen: boolean
  /** Without the dialog. @throws {WalletKitError} */
  signIn: () => Promise<Session>
  /** @throws {SignInError} when the server could not be told */
  signOut: () => Promise<void>
}

/**
 * Signing in with the connected wallet, where the kit has `authentication`.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361
 * @example
 * ```tsx
 * const { session, open } = useSignIn()
 * if (!session) return <button onClick={open}>Sign in to see your notes</button>
 * ```
 */
export function useSignIn(): UseSignInReturnType {
  const kit = useWalletKit()
  const session = useKitState((state) => state.session)
  const isOpen = useKitState((state) => state.dialog.name === 'signIn')
  return useMemo(
    () => ({
      session,
      open: kit.openSignInDialog,
      close: kit.closeDialog,
      isOpen,
      signIn: kit.signIn,
      signOut: kit.signOut,
    }),
    [kit, session, isOpen],
  )
}
