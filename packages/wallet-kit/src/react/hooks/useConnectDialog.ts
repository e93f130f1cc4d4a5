import { useMemo } from 'react'
import type { Connection, WalletKitState } from '../../core/state/state.ts'
import { useWalletKit } from './useWalletKit.ts'
import { useWalletKitState } from './useWalletKitState.ts'
import { doNothing, resolveUndefined } from './withoutKit.ts'

export type UseConnectDialogReturnType = {
  /**
   * Opens the dialog, or the sign-in dialog if only a required sign-in is missing. Resolves with the connection, or
   * with `undefined` when the person closes it, when it cannot be loaded, or while the provider has no kit yet.
   */
  open: () => Promise<Connection | undefined>
  /** Closes the dialog and cancels the request to a wallet, if there is one. */
  close: () => void
  isOpen: boolean
}

/**
 * Returns actions and state of the connect dialog, for your own button or for an action that needs an account.
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
  const kit = useWalletKit({ shouldThrow: false })
  const isOpen = useWalletKitState(isConnectDialogOpen)
  return useMemo(
    () => ({ open: kit?.openConnectDialog ?? resolveUndefined, close: kit?.closeDialog ?? doNothing, isOpen }),
    [kit, isOpen],
  )
}

/** Returns whether the person is connecting: in the connect dialog, or in the sign-in that it requires. */
export const isConnectDialogOpen = ({ dialog, status }: WalletKitState): boolean =>
  dialog.name === 'connect' || (dialog.name === 'signIn' && status === 'unauthenticated')
