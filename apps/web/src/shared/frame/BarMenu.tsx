import CheckIcon from '@mui/icons-material/CheckOutlined'
import IconButton from '@mui/material/IconButton'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { inMain } from './inMain.ts'

const Menu = lazy(() => import('@mui/material/Menu'))
const MenuItem = lazy(() => import('@mui/material/MenuItem'))

type Props<value extends string> = {
  label: string
  icon: ReactNode
  value: value
  options: readonly (readonly [value: value, label: string])[]
  onChange: (value: value) => void
}

/** One of a few, behind an icon of the bar. */
export function BarMenu<value extends string>({ label, icon, value, options, onChange }: Props<value>) {
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
        sx={{ width: 40, height: 40 }}
      >
        {icon}
      </IconButton>
      {anchor && (
        <Suspense>
          <Menu
            open
            container={inMain}
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
          </Menu>
        </Suspense>
      )}
    </>
  )
}
