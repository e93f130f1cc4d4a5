import { useMemo } from 'react'
import type { Connection } from '../core/state.ts'
import { useKitState } from './useKitState.ts'
import { useWalletKit } from './useWalletKit.ts'

export type UseConnectDialogReturnType = {
  /**
   * Resolves with the connection, or with `undefined` when the person closes the dialog. Where signing in is required, it
   * follows, and comes first while only it is missing.
   */
  open: () => Promise<Connection | undefined>
  /** Closing while a wallet is being asked gives up that try. */
  close: () => void
  isOpen: boolean
}

/**
 * The connect dialog, for a button of your own or a step that needs an account.
 *
 * @example
 * ```tsx
 * const { open } = useConnectDialog()
 * const vote = async () => {
 *   const connection = await open()
 *   if (connection) send(connection.address)
 * }
 * ```
 */
export function useConnectDialog(): UseConnectDialogReturnType {
  const kit = useWalletKit()
  const isOpen = useKitState(
    ({ dialog, status }) => dialog.name === 'connect' || (dialog.name === 'signIn' && status === 'unauthenticated'),
  )
  return useMemo(() => ({ open: kit.openConnectDialog, close: kit.closeDialog, isOpen }), [kit, isOpen])
}
