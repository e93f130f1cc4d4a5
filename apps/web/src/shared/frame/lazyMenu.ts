import { lazyWithPreload } from './lazyWithPreload.tsx'

/** Menu of a button that is rarely pressed, and its items. */
export const Menu = lazyWithPreload(async () => ({ default: (await import('./layers.tsx')).Menu }))
export const MenuItem = lazyWithPreload(() => import('@mui/material/MenuItem'))

/** Loads the menu. A failure shows when the menu is opened. */
const preload = () => {
  for (const part of [Menu, MenuItem]) part.preload().catch(() => undefined)
}

/** Properties of the menu's button, which load the menu while the finger goes down, or once the button is reached. */
export const opensMenu = {
  'aria-haspopup': 'menu',
  onPointerDown: preload,
  onPointerEnter: preload,
  onFocus: preload,
} as const
