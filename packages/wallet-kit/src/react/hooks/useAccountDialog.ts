import { useMemo } from 'react'
import { useWalletKit } from './useWalletKit.ts'
import { useWalletKitState } from './useWalletKitState.ts'
import { doNothing } from './withoutKit.ts'

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
  const isOpen = useWalletKitState((state) => state.dialog.name === 'account')
  return useMemo(
    () => ({ open: kit?.openAccountDialog ?? doNothing, close: kit?.closeDialog ?? doNothing, isOpen }),
    [kit, isOpen],
  )
}
