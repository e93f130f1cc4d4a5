import { useCloseOnBack } from '@lineage/wallet-kit'
import MuiDialog, { type DialogProps } from '@mui/material/Dialog'
import MuiDrawer, { type DrawerProps } from '@mui/material/Drawer'
import MuiMenu, { type MenuProps } from '@mui/material/Menu'
import MuiPopover, { type PopoverProps } from '@mui/material/Popover'
import type { ComponentType } from 'react'

/** Makes a layer of MUI close on Back. */
function closedByBack<props extends { open?: boolean }>(Layer: ComponentType<props>) {
  return function LayerClosedByBack({ onClose, ...props }: Omit<props, 'onClose'> & { onClose: () => void }) {
    useCloseOnBack({ isOpen: props.open === true, onClose })
    return <Layer {...(props as unknown as props)} onClose={onClose} />
  }
}

export const Dialog = closedByBack<DialogProps>(MuiDialog)
export const Drawer = closedByBack<DrawerProps>(MuiDrawer)
export const Menu = closedByBack<MenuProps>(MuiMenu)
export const Popover = closedByBack<PopoverProps>(MuiPopover)
