import { useMemo } from 'react'
import { useKitState } from './useKitState.ts'
import { useWalletKit } from './useWalletKit.ts'

export type UseAccountDialogReturnType = {
  /** Does nothing while not connected. */
  open: () => void
  close: () => void
  isOpen: boolean
}

/**
 * The account dialog.
 *
 * @example
 * ```tsx
 * const { open } = useAccountDialog()
 * <button onClick={open}>…</button>
 * ```
 */
export function useAccountDialog(): UseAccountDialogReturnType {
  const kit = useWalletKit()
  const isOpen = useKitState((state) => state.dialog.name === 'account')
  return useMemo(() => ({ open: kit.openAccountDialog, close: kit.closeDialog, isOpen }), [kit, isOpen])
}
