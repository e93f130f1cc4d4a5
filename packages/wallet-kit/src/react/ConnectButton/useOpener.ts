import type { MouseEvent } from 'react'
import { useWalletKitContext } from '../WalletKitContext.ts'

/** Returns the props of a button that opens a dialog. */
export function useOpener(open: () => void) {
  const { preload } = useWalletKitContext()
  return {
    'aria-haspopup': 'dialog',
    onPointerEnter: preload,
    onFocus: preload,
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      // Safari does not focus a clicked button, and the focus could then not return to it.
      event.currentTarget.focus()
      open()
    },
  } as const
}
