import { useMemo } from 'react'
import type { OpenConnectParameters } from '../../core/dialogs/dialogs.ts'
import type { Connection, WalletKitState } from '../../core/state/state.ts'
import type { KitWalletId, WalletKit } from '../../core/WalletKit.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { doNothing, resolveUndefined, useWalletKitState } from './useWalletKit.ts'

export type UseConnectDialogReturnType = {
  /**
   * Opens the dialog, or the sign-in dialog if only a required sign-in is missing. With a `walletId` that wallet is picked
   * at once. Resolves with the connection, or with `undefined` when the person closes it, when it cannot be loaded, or
   * while the provider has no kit yet. While a wallet is connected, even another one, it opens nothing and resolves with
   * that connection.
   */
  open: {
    (): Promise<Connection | undefined>
    (parameters: OpenConnectParameters<KitWalletId> | undefined): Promise<Connection | undefined>
  }
  /** Closes the dialog and cancels the request to a wallet, if there is one. Does nothing while another dialog is open. */
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
  return useDialog(isConnectDialogOpen, (kit) => kit?.openConnectDialog ?? resolveUndefined)
}

/** Returns whether the person is connecting: in the connect dialog, or in the sign-in that it requires. */
export const isConnectDialogOpen = ({ dialog, status }: WalletKitState): boolean =>
  dialog.name === 'connect' || (dialog.name === 'signIn' && status === 'unauthenticated')

const isAccountDialogOpen = ({ dialog }: WalletKitState) => dialog.name === 'account'

export type UseAccountDialogReturnType = {
  /** Does nothing while no wallet is connected. */
  open: () => void
  /** Does nothing while another dialog is open. */
  close: () => void
  isOpen: boolean
}

/**
 * Returns actions and state of the account dialog.
 *
 * @example
 * ```tsx
 * const { open } = useAccountDialog()
 * return <button onClick={open}>My account</button>
 * ```
 */
export function useAccountDialog(): UseAccountDialogReturnType {
  return useDialog(isAccountDialogOpen, (kit) => kit?.openAccountDialog ?? doNothing)
}

const isNetworkDialogOpen = ({ dialog }: WalletKitState) => dialog.name === 'network'

export type UseNetworkDialogReturnType = {
  /** Does nothing while no wallet is connected. */
  open: () => void
  /** Does nothing while another dialog is open. */
  close: () => void
  isOpen: boolean
}

/**
 * Returns actions and state of the network dialog.
 *
 * @example
 * ```tsx
 * const { open } = useNetworkDialog()
 * return <button onClick={open}>Switch networks</button>
 * ```
 */
export function useNetworkDialog(): UseNetworkDialogReturnType {
  return useDialog(isNetworkDialogOpen, (kit) => kit?.openNetworkDialog ?? doNothing)
}

/** Returns actions and state of the dialog that `isShown` names. `close` leaves other dialogs open. */
export function useDialog<Open>(
  isShown: (state: WalletKitState) => boolean,
  openOf: (kit: WalletKit | undefined) => Open,
) {
  const { kit } = useWalletKitContext()
  const open = openOf(kit)
  const isOpen = useWalletKitState(isShown)
  const close = useMemo(() => () => kit && isShown(kit.getState()) && kit.closeDialog(), [kit, isShown])
  return useMemo(() => ({ open, close, isOpen }), [open, close, isOpen])
}
