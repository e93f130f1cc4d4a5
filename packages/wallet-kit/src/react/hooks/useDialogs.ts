import { useMemo } from 'react'
import type { OpenConnectParameters } from '../../core/dialogs/dialogs.ts'
import type { Connection, WalletKitState } from '../../core/state/state.ts'
import type { KitWalletId } from '../../core/WalletKit.ts'
import { doNothing, resolveUndefined, useWalletKit, useWalletKitState } from './useWalletKit.ts'

export type UseConnectDialogReturnType = {
  /**
   * Opens the dialog, or the sign-in dialog if only a required sign-in is missing. With a `walletId` that wallet is picked
   * at once. Resolves with the connection, or with `undefined` when the person closes it, when it cannot be loaded, or
   * while the provider has no kit yet.
   */
  open: {
    (): Promise<Connection | undefined>
    (parameters: OpenConnectParameters<KitWalletId>): Promise<Connection | undefined>
  }
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
  return useDialog(isConnectDialogOpen, kit?.openConnectDialog ?? resolveUndefined)
}

/** Returns whether the person is connecting: in the connect dialog, or in the sign-in that it requires. */
export const isConnectDialogOpen = ({ dialog, status }: WalletKitState): boolean =>
  dialog.name === 'connect' || (dialog.name === 'signIn' && status === 'unauthenticated')

export type UseAccountDialogReturnType = {
  /** Does nothing while no wallet is connected. */
  open: () => void
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
  const kit = useWalletKit({ shouldThrow: false })
  return useDialog((state) => state.dialog.name === 'account', kit?.openAccountDialog ?? doNothing)
}

export type UseNetworkDialogReturnType = {
  /** Does nothing while no wallet is connected. */
  open: () => void
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
  const kit = useWalletKit({ shouldThrow: false })
  return useDialog((state) => state.dialog.name === 'network', kit?.openNetworkDialog ?? doNothing)
}

function useDialog<Open>(select: (state: WalletKitState) => boolean, open: Open) {
  const close = useWalletKit({ shouldThrow: false })?.closeDialog ?? doNothing
  const isOpen = useWalletKitState(select)
  return useMemo(() => ({ open, close, isOpen }), [open, close, isOpen])
}
