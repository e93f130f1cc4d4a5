import { useMemo } from 'react'
import { useWalletKit } from './useWalletKit.ts'
import { useWalletKitState } from './useWalletKitState.ts'
import { doNothing } from './withoutKit.ts'

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
  const isOpen = useWalletKitState((state) => state.dialog.name === 'network')
  return useMemo(
    () => ({ open: kit?.openNetworkDialog ?? doNothing, close: kit?.closeDialog ?? doNothing, isOpen }),
    [kit, isOpen],
  )
}
