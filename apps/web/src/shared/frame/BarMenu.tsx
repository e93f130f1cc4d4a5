import CheckIcon from '@mui/icons-material/CheckOutlined'
import IconButton from '@mui/material/IconButton'
import { type ReactNode, useId, useState } from 'react'
import { LazyBoundary } from './ErrorBoundary.tsx'
import { lazyWithPreload } from './lazyWithPreload.tsx'

const Menu = lazyWithPreload(() => import('@mui/material/Menu'))
const MenuItem = lazyWithPreload(() => import('@mui/material/MenuItem'))

type Props<value extends string> = {
  label: string
  icon: ReactNode
  /** Items after the options. */
  more?: (close: () => void) => ReactNode
  value: value
  options: readonly (readonly [value: value, label: string])[]
  onChange: (value: value) => void
}

/** Renders an icon button of the top bar that opens a menu of radio items. */
export function BarMenu<value extends string>({ label, icon, value, options, onChange, more }: Props<value>) {
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton
        id={id}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        title={label}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ minWidth: 40, height: 40 }}
      >
        {icon}
      </IconButton>
      {anchor && (
        <LazyBoundary onError={() => setAnchor(null)}>
          <Menu
            open
            container={menuContainer}
            anchorEl={anchor}
            onClose={() => setAnchor(null)}
            slotProps={{ list: { 'aria-labelledby': id } }}
          >
            {options.map(([option, text]) => (
              <MenuItem
                key={option}
                role="menuitemradio"
                aria-checked={option === value}
                selected={option === value}
                onClick={() => {
                  onChange(option)
                  setAnchor(null)
                }}
              >
                <span style={{ flex: 1 }}>{text}</span>
                <CheckIcon
                  fontSize="small"
                  color="primary"
                  sx={{ visibility: option === value ? 'visible' : 'hidden' }}
                />
              </MenuItem>
            ))}
            {more?.(() => setAnchor(null))}
          </Menu>
        </LazyBoundary>
      )}
    </>
  )
}

/** Returns the container for menus: the main landmark, so that screen readers announce where a menu belongs. */
export const menuContainer = () => document.getElementById('main')
