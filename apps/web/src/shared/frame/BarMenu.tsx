import { type ReactNode, useId, useState } from 'react'
import { IconButton } from './Button.tsx'
import { LazyBoundary } from './ErrorBoundary.tsx'
import { lazyWithPreload } from './lazyWithPreload.tsx'

const RadioMenu = lazyWithPreload(() => import('./RadioMenu.tsx'))

type Props<value extends string> = {
  label: string
  icon: ReactNode
  /** Items after the options. */
  more?: (close: () => void) => ReactNode
  value: value
  options: readonly (readonly [value: value, label: string, lang?: string])[]
  onChange: (value: value) => void
}

/** Renders an icon button of the top bar that opens a menu of radio items. */
export function BarMenu<value extends string>({ label, icon, value, options, onChange, more }: Props<value>) {
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
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
        <LazyBoundary onError={close}>
          <RadioMenu
            anchor={anchor}
            labelledBy={id}
            value={value}
            options={options}
            onChange={onChange as (value: string) => void}
            onClose={close}
          >
            {more?.(close)}
          </RadioMenu>
        </LazyBoundary>
      )}
    </>
  )
}
