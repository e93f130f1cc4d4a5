import CheckIcon from '@mui/icons-material/CheckOutlined'
import MenuItem from '@mui/material/MenuItem'
import type { ReactNode } from 'react'
import { menuContainer } from './controls.tsx'
import { Menu } from './layers.tsx'

type Props = {
  anchor: HTMLElement
  /** Id of the button that opens the menu. */
  labelledBy: string
  value: string
  options: readonly (readonly [value: string, label: string, lang?: string])[]
  onChange: (value: string) => void
  onClose: () => void
  /** Items after the options. */
  children: ReactNode
}

/** Renders a menu of radio items. */
export default function RadioMenu({ anchor, labelledBy, value, options, onChange, onClose, children }: Props) {
  return (
    <Menu
      open
      container={menuContainer}
      anchorEl={anchor}
      onClose={onClose}
      slotProps={{ list: { 'aria-labelledby': labelledBy } }}
    >
      {options.map(([option, text, lang]) => (
        <MenuItem
          key={option}
          role="menuitemradio"
          aria-checked={option === value}
          selected={option === value}
          onClick={() => {
            onChange(option)
            onClose()
          }}
        >
          <span lang={lang} style={{ flex: 1 }}>
            {text}
          </span>
          <CheckIcon fontSize="small" color="primary" sx={{ visibility: option === value ? 'visible' : 'hidden' }} />
        </MenuItem>
      ))}
      {children}
    </Menu>
  )
}
