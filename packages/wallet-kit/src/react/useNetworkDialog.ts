import { useMemo } from 'react'
import { useKitState } from './useKitState.ts'
import { useWalletKit } from './useWalletKit.ts'

export type UseNetworkDialogReturnType = {
  /** Does nothing while not connected. */
  open: () => void
  close: () => void
  isOpen: boolean
}

/**
 * The network dialog.
 *
 * @example
 * ```tsx
 * const { open } = useNetworkDialog()
 * <button onClick={open}>…</button>
 * ```
 */
export function useNetworkDialog(): UseNetworkDialogReturnType {
  const kit = useWalletKit()
  const isOpen = useKitState((state) => state.dialog.name === 'network')
  return useMemo(() => ({ open: kit.openNetworkDialog, close: kit.closeDialog, isOpen }), [kit, isOpen])
}
